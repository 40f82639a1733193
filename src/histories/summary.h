#pragma once

#include <vector>

#include "decompose/summary.h"
#include "histories/cut_game.h"

namespace cleave::histories {

using decompose::summarise;

// Of every subgame, from a strategy of the whole game.
std::vector<decompose::Summary> summarise(const CutGame& game, const tree::Strategy& strategy);

// The reach of the private states at a border under a strategy of the game.
decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy);

}  // namespace cleave::histories
