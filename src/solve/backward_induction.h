#pragma once

#include "solve/solver.h"

// Backward induction (Zermelo): games in which every information set holds one history.
namespace cleave::solve {

struct InductionSolution {
  double value = 0;         // to player one, in the game's own payoffs
  tree::Strategy strategy;  // pure, optimal from every history on
};

// Throws InputError for a game with an information set of several histories.
InductionSolution induce_backward(const Problem& problem);

}  // namespace cleave::solve
