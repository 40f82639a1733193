#pragma once

#include "solve/full_width.h"

namespace cleave::solve {

// Discounted CFR (Brown and Sandholm 2019). After iteration s positive regrets are scaled by
// s^alpha / (s^alpha + 1), negative ones by s^beta / (s^beta + 1), the sum of strategies by
// (s / (s + 1))^gamma; the code applies this at the beginning of iteration s + 1, before adding.
struct DcfrParams {
  Updates updates = Updates::kAlternating;
  double alpha = 1.5;
  double beta = 0;
  double gamma = 2;
};
// One iteration with the given parameters; HS-DCFR calls it with other ones each time.
Iteration dcfr_iteration(int64_t t, double alpha, double beta, double gamma);
SolverInfo dcfr_info();

}  // namespace cleave::solve
