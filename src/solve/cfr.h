#pragma once

#include "solve/full_width.h"

namespace cleave::solve {

// Counterfactual regret minimisation with regret matching (Zinkevich et al. 2007): R += r; the
// average is uniform over iterations.
struct CfrParams {
  Updates updates = Updates::kAlternating;
};
Schedule cfr_schedule();
SolverInfo cfr_info();

}  // namespace cleave::solve
