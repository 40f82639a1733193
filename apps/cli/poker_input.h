#pragma once

#include "door/hands_game.h"

namespace cleave::cli {

inline constexpr const char* kGameHelp =
    "Built-in game or the path of an .efg, .game or .toml (spot) file";

using door::read_poker;

// "OOP" and "IP" of a spot, "player 1" and "player 2" of a game.
const char* player_name(const hands::Problem& problem, size_t player);

}  // namespace cleave::cli
