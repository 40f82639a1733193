#pragma once

#include <array>
#include <string>
#include <vector>

#include "hands/view.h"

// The 13 by 13 grid of hands: aces first, suited hands above the diagonal, offsuit ones below it.
namespace cleave::cli {

struct GridCell {
  int possible = 0;  // hands that the board leaves
  double reach = 0;  // summed over them
  double share = 0;  // of the hands that get here, against the kind of which most do
  double equity = 0;
  std::vector<double> mix;  // [action], by reach; empty where the player does not act
  bool empty() const { return share < 1e-3; }
};
using HandGrid = std::array<std::array<GridCell, poker::kNumRanks>, poker::kNumRanks>;

HandGrid make_hand_grid(const hands::NodeView& view, size_t player);

enum class Colours { kNone, k256, k24Bit };
// What standard output shows: none unless it is a terminal, and none where NO_COLOR is set.
Colours colours_of_output();

// An action in the grid and in its legend: "f" and blue for a fold, "x" and green for a check, "1",
// "2", ... and red for bets from small to large, "a" for all-in.
std::string action_sign(const std::vector<poker::Action>& actions, size_t action, Colours colours);

// Each hand a bar of what is done with it, bets on the left; at most 100 columns.
void print_mix_grid(const HandGrid& grid, const std::vector<poker::Action>& actions,
                    Colours colours);
// Each hand's equity in percent.
void print_equity_grid(const HandGrid& grid, Colours colours);

}  // namespace cleave::cli
