#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// Hyperparameter schedules (Zhang, McAleer, Sandholm 2024): discounting grows milder over a horizon
// of T iterations. HS-DCFR: alpha = 1 + 3 t/T, beta = -1 - 2 t/T, gamma = start - 5 t/T. HS-PCFR+:
// PCFR+ with that gamma as exponent of the average. After T the last values stay.
SolverInfo hs_dcfr_info();
SolverInfo hs_pcfr_plus_info();

}  // namespace cleave::solve
