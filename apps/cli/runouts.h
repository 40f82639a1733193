#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hands/view.h"

namespace cleave::cli {

// The board at a node in the order dealt: the spot's, then the cards of the line.
std::string board_at(hands::Solution& solution, const hands::NodeView& view);

// What each card that can be dealt at a node makes of the game: a table of equities, values and the
// next player's frequencies. Cards that play the same by suit symmetry share a row.
void print_runouts(hands::Solution& solution, const hands::NodeView& view);
void add_runouts(nlohmann::ordered_json& out, hands::Solution& solution,
                 const hands::NodeView& view);

}  // namespace cleave::cli
