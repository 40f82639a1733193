#pragma once

#include "solve/full_width.h"

namespace cleave::solve {

// Hyperparameter schedules (Zhang, McAleer, Sandholm 2024): discounting grows milder over a horizon
// of T iterations. HS-DCFR: alpha = 1 + 3 t/T, beta = -1 - 2 t/T, gamma = start - 5 t/T. HS-PCFR+:
// PCFR+ with that gamma as exponent of the average. After T the last values stay.
struct ScheduledParams {
  Updates updates = Updates::kAlternating;
  double gamma = 30;
  int64_t horizon = 1000;  // T; the iteration limit of the run where one is given
};
SolverInfo hs_dcfr_info();
SolverInfo hs_pcfr_plus_info();

}  // namespace cleave::solve
