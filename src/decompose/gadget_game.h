#pragma once

#include "decompose/gadget.h"
#include "decompose/piece.h"

namespace cleave::decompose {

// A subgame below a gadget as a game of its own: hero's reach folded into chance, the opponent's
// choices at the root as entry sets. What the linear program solves exactly.
struct GadgetGame {
  solve::Problem problem;
  std::vector<uint32_t> source_slot;  // [slot]: in the whole game; kNone: entry
};

GadgetGame make_gadget_game(const tree::Tree& game, const Piece& subgame, int hero,
                            const std::vector<double>& hero_reach, const EntryForm& form);

// The hero's part of an equilibrium, into a strategy of the whole game. Returns the value to the
// opponent.
double solve_gadget_game(const GadgetGame& game, int hero, tree::Strategy& strategy);

}  // namespace cleave::decompose
