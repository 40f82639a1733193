#pragma once

#include "solve/solver.h"

// The sequence-form linear program (Koller, Megiddo and von Stengel 1996; von Stengel 1996), solved
// with coin-or CLP: an equilibrium of a whole game in one go, exact up to rounding.
namespace cleave::solve {

struct LpSolution {
  double value = 0;  // to player one, in the game's own payoffs
  // Where a player's own plan is zero: a counterfactual best response, so that play goes on
  // sensibly after a mistake of one's own.
  tree::Strategy strategy;
};

// Throws RunError with CLP's status unless it ends at an optimum.
LpSolution solve_lp(const Problem& problem);

// What `player` can get against the other's part of `strategy`, in the game's own payoffs: the same
// as best_respond() by a linear program over the tree, which shares no code with it.
double lp_best_response_value(const Problem& problem, size_t player,
                              const tree::Strategy& strategy);

}  // namespace cleave::solve
