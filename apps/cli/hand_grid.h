#pragma once

#include <string>
#include <vector>

#include "hands/view.h"

// The grid of hands on a terminal.
namespace cleave::cli {

enum class Colours { kNone, k256, k24Bit };
// What standard output shows: none unless it is a terminal, and none where NO_COLOR is set.
Colours colours_of_output();

// An action in the grid and in its legend: "f" and blue for a fold, "x" and green for a check, "1",
// "2", ... and red for bets from small to large, "a" for all-in.
std::string action_sign(const std::vector<poker::Action>& actions, size_t action, Colours colours);

// Each hand a bar of what is done with it, bets on the left; at most 100 columns.
void print_mix_grid(const hands::HandGrid& grid, const std::vector<poker::Action>& actions,
                    Colours colours);
// Each hand's equity in percent.
void print_equity_grid(const hands::HandGrid& grid, Colours colours);

}  // namespace cleave::cli
