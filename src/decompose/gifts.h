#pragma once

#include <vector>

#include "decompose/summary.h"

namespace cleave::decompose {

// What the opponent gives away at one of its information sets I' by the action a' on the way to a
// root state I, in V units.
struct Gift {
  double gain = 0;    // CBV(I') - CBV(I', a') against the trunk
  double bound = 0;   // the same with the largest value that is guaranteed at I', at least 0
  double reach = 1;   // pi_-opp(I', I): how likely I is after (I', a') if the opponent wants it
  bool sole = false;  // I' leads to no other root state of the subgame
};

struct GiftRule {
  enum class Kind { kNoGifts, kSingle, kSplit } kind = Kind::kNoGifts;
  bool bound = false;  // lower bounds instead of gains
  double scale = 1;
};

// Finds them for every subgame from the trunk's strategy of the hero and the best-response values
// in the summaries. What it refers to must outlive it.
class GiftFinder {
 public:
  GiftFinder(const CutGame& game, const tree::Strategy& strategy,
             const std::vector<Summary>& summaries, int opponent);

  // [state of the opponent at the subgame's root]: the gifts on the way, latest first.
  std::vector<std::vector<Gift>> at(size_t subgame) const;

 private:
  void find_values(const tree::Strategy& strategy, const std::vector<Summary>& summaries);
  void find_reach_and_bounds(const tree::Strategy& strategy);

  const CutGame& game_;
  size_t opponent_;
  std::vector<Vectors> reach_;         // [subgame]: from the summaries
  std::vector<uint32_t> set_of_slot_;  // [slot of the game]
  std::vector<double> value_;          // [slot of the game]: CBV(I', a'), Burch's units
  std::vector<double> rho_;            // [infoset of the game]
  std::vector<double> guaranteed_;     // [infoset of the game]: Burch's units
};

}  // namespace cleave::decompose
