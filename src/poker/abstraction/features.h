#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "poker/abstraction/boards.h"
#include "poker/abstraction/buckets.h"
#include "poker/abstraction/points.h"

namespace cleave::poker {

// The hands on a board of three to five cards from the weakest to the strongest; the best five of
// board and hand count.
struct RankedHand {
  uint32_t strength;
  uint16_t combo;
  Card high;
  Card low;
};
std::vector<RankedHand> rank_hands(CardSet board);

// score[combo] = twice the hands that it beats plus those that it ties with, among the hands that
// share no card with it. kBlocked where the board has one of its cards.
inline constexpr uint16_t kBlocked = 0xffff;
using Scores = std::array<uint16_t, kNumCombos>;
void showdown_scores(std::span<const RankedHand> ranking, Scores& scores);
// How many hands there are against a hand on a board of so many cards.
constexpr uint32_t num_opponents(int board_cards) {
  const uint32_t left = static_cast<uint32_t>(kNumCards - 2 - board_cards);
  return left * (left - 1) / 2;
}

// The share of wins, and half of ties, against the hands of each group of opponents; a half where
// the group has no hand left. Blocked combos get nothing.
inline constexpr size_t kNumOpponentGroups = 8;
using OpponentGroups = std::array<uint8_t, kNumCombos>;                    // [combo] = its group
using GroupEquities = std::vector<std::array<float, kNumOpponentGroups>>;  // [combo][group]
void group_equities(std::span<const RankedHand> ranking, const OpponentGroups& groups,
                    GroupEquities& equities);

// A byte for every hand on every board of five cards: the bin of its equity. Equity e is in bin
// floor(e * bins), 1 in the last one.
class RiverBins {
 public:
  RiverBins(int bins, const BucketOptions& options);
  // For these boards only: the others may not be asked for.
  RiverBins(int bins, std::span<const CardSet> boards);

  int bins() const { return bins_; }  // this is also the bin of blocked hands
  const Boards& boards() const { return boards_; }
  const uint8_t* row(size_t board) const { return bin_.data() + board * kNumCombos; }  // [combo]

 private:
  void fill(size_t board);

  int bins_;
  Boards boards_;
  core::AlignedVector<uint8_t> bin_;  // [board][combo]
};

// Numbers that describe a hand on a board, for k-means to compare. Renamed suits do not change
// them.
struct Features {
  size_t dimensions = 0;
  Metric metric = Metric::kManhattan;
  // Row i of `rows`, zeros so far, becomes that of the i-th hand (a combo); none is blocked.
  std::function<void(CardSet board, std::span<const uint16_t> hands, Points& rows)> describe;
};

// The distribution over the boards to come of the equity at the end, against a random hand: rows
// are cumulative histograms, scaled so that their distance is the earth mover's distance in equity.
Features make_histogram_features(const std::shared_ptr<const RiverBins>& bins);

// One number: the equity against a random hand if no more cards came.
Features make_strength_features();

// The equities against each group of opponents on a board of five cards.
Features make_opponent_features(const OpponentGroups& groups);

// How often each hand's equity is in each bin, over all boards of five cards that contain `board`:
// counts[i * (bins + 1) + bin] for the i-th hand. The place beyond the bins is for boards that have
// one of the hand's cards.
void count_bins(const RiverBins& bins, CardSet board, std::span<const uint16_t> hands,
                std::span<uint16_t> counts);

// The 169 hands before the flop in groups, by k-means on their histograms over all boards.
OpponentGroups make_opponent_groups(const RiverBins& bins, const BucketOptions& options);

}  // namespace cleave::poker
