#pragma once

#include "solve/problem.h"

// Methods that find an equilibrium of a whole game in one go.
namespace cleave::solve {

struct ExactSolution {
  double value = 0;  // to player one, in the game's own payoffs
  tree::Strategy strategy;
};
using LpSolution = ExactSolution;

// The sequence-form linear program (Koller, Megiddo and von Stengel 1996; von Stengel 1996), solved
// with coin-or CLP: exact up to rounding. Where a player's own plan is zero the strategy is a
// counterfactual best response, so that play goes on sensibly after a mistake of one's own. Throws
// RunError with CLP's status unless it ends at an optimum.
LpSolution solve_lp(const Problem& problem);

// Backward induction (Zermelo): a pure strategy, optimal from every history on. Throws InputError
// for a game with an information set of several histories.
ExactSolution induce_backward(const Problem& problem);

}  // namespace cleave::solve
