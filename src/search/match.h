#pragma once

#include <array>
#include <optional>

#include "search/agent.h"

namespace cleave::search {

struct MatchOptions {
  int64_t hands = 10000;  // an odd number is rounded up: seats alternate
  uint64_t seed = 1;
  // Both hands of a pair use the same random numbers for chance and for each seat's actions, the
  // agents having changed seats: unbiased, and luck in the cards cancels.
  bool duplicate = false;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int64_t hands, double mean, double error)> progress = {};  // after every pair
};

// Chips per hand to the first agent, A, in the game's own payoffs.
struct Sample {
  int64_t count = 0;
  double mean = 0;
  double error = 0;  // standard error of the mean; infinite with fewer than two
  // 95%: 1.96 standard errors to each side.
  double low() const;
  double high() const;
};

struct MatchResult {
  int64_t hands = 0;
  // Over pairs of hands, one in each seat: pairs are independent whether duplicate or not.
  Sample total;
  std::array<Sample, 2> seat;  // [where A sits]: over hands
  bool stopped = false;        // before all hands were played
};

// Hand i draws from streams of its own, made from the seed and the number of its pair.
MatchResult play_match(const door::AnyGame& game, Agent& a, Agent& b, const MatchOptions& options);

// What the match would come to with infinitely many hands.
struct ExactMatch {
  double mean = 0;
  std::array<double, 2> seat = {};  // [where A sits]
};
ExactMatch exact_match(const door::AnyGame& game, const decompose::Profile& a,
                       const decompose::Profile& b);

}  // namespace cleave::search
