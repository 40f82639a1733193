#pragma once

#include "decompose/summary.h"
#include "histories/piece.h"
#include "tree/strategy.h"

namespace cleave::histories {

// The reach of the private states at a border under a strategy of the game.
decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy);

}  // namespace cleave::histories
