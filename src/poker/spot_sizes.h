#pragma once

#include <vector>

#include "poker/spot.h"
#include "poker/spot_keys.h"

namespace cleave::poker {

inline constexpr std::array<const char*, 3> kStreetNames = {"flop", "turn", "river"};

// The streets from the board's on, out of [sizes], [flop], [turn] and [river]. For each player and
// kind of size the first of these that is there: river.oop.bet, river.bet, sizes.oop.bet,
// sizes.bet. `spot` has its board, chips and smallest bet already.
std::vector<Betting::Street> read_streets(const SpotKeys& keys, const Setting& root,
                                          const Spot& spot);

}  // namespace cleave::poker
