#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// Predictive CFR+ (Farina, Kroer, Sandholm 2021): regret matching plus, but the strategy is
// proportional to max(R + m, 0) with the prediction m = the newest regret; iteration t weighs
// t^average.
SolverInfo pcfr_plus_info();
Iteration pcfr_plus_iteration(int64_t t, double average);

}  // namespace cleave::solve
