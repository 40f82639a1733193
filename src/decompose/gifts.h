#pragma once

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

}  // namespace cleave::decompose
