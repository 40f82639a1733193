#pragma once

#include <optional>
#include <string>

#include "hands/problem.h"

namespace cleave::cli {

inline constexpr const char* kGameHelp =
    "Built-in game or the path of an .efg, .game or .toml (spot) file";

// What the vector engine is for: a hold'em spot or a whole game (.toml), or a `.game` that is too
// large for the tree engine. Empty for every other game.
std::optional<hands::Problem> read_poker(const std::string& game);

// "OOP" and "IP" of a spot, "player 1" and "player 2" of a game.
const char* player_name(const hands::Problem& problem, size_t player);

}  // namespace cleave::cli
