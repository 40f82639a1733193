#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// Linear CFR (Brown and Sandholm 2019): R = (R + r) * t / (t + 1), iteration t weighs t in the
// average. Here the factor is applied before adding, with t - 1 for t: the same strategies.
SolverInfo linear_cfr_info();

}  // namespace cleave::solve
