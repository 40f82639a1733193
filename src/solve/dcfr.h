#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// Discounted CFR (Brown and Sandholm 2019). After iteration s positive regrets are scaled by
// s^alpha / (s^alpha + 1), negative ones by s^beta / (s^beta + 1), the sum of strategies by
// (s / (s + 1))^gamma; the code applies this at the beginning of iteration s + 1, before adding.
SolverInfo dcfr_info();
// One iteration with the given parameters; HS-DCFR calls it with other ones each time.
Iteration dcfr_iteration(int64_t t, double alpha, double beta, double gamma);

}  // namespace cleave::solve
