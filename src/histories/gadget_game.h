#pragma once

#include "decompose/gadget.h"
#include "histories/piece.h"

namespace cleave::histories {

// A subgame below a gadget as a game of its own: hero's reach folded into chance, the opponent's
// choices at the root as entry sets. What the linear program solves exactly.
struct GadgetGame {
  solve::Problem problem;
  std::vector<uint32_t> source_slot;  // [slot]: in the whole game; kNone: entry
};

GadgetGame make_gadget_game(const tree::Tree& game, const TreePiece& subgame, size_t hero,
                            const std::vector<double>& hero_reach,
                            const decompose::EntryForm& form);

// The hero's part of an equilibrium, into a strategy of the whole game. Returns the value to the
// opponent.
double solve_gadget_game(const GadgetGame& game, size_t hero, tree::Strategy& strategy);

}  // namespace cleave::histories
