#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "poker/abstraction/boards.h"
#include "poker/abstraction/buckets.h"

// What hands are worth at a showdown on a board, against hands that are dealt at random.
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

}  // namespace cleave::poker
