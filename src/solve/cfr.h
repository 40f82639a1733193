#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// Counterfactual regret minimisation with regret matching (Zinkevich et al. 2007): R += r; the
// average is uniform over iterations.
SolverInfo cfr_info();

}  // namespace cleave::solve
