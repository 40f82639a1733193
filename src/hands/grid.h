#pragma once

#include <array>
#include <string>
#include <vector>

#include "hands/view.h"

// The 13 by 13 grid of hands: aces first, suited hands above the diagonal, offsuit ones below it.
namespace cleave::hands {

struct GridCell {
  int possible = 0;  // hands that the board leaves
  double reach = 0;  // summed over them
  double share = 0;  // of the hands that get here, against the kind of which most do
  double equity = 0, value = 0, realisation = 0;  // means by reach
  std::vector<double> mix;  // [action], by reach; empty where the player does not act
  bool empty() const { return share < 1e-3; }
};
using HandGrid = std::array<std::array<GridCell, poker::kNumRanks>, poker::kNumRanks>;

HandGrid make_hand_grid(const NodeView& view, size_t player);

struct GridPlace {
  size_t row = 0, column = 0;
};
GridPlace place_in_grid(poker::CardSet hand);
std::string kind_name(size_t row, size_t column);  // "AKs"

}  // namespace cleave::hands
