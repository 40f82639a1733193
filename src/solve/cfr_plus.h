#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// CFR+ (Tammelin 2014): regret matching plus, R = max(R + r, 0); iteration t weighs t^average.
SolverInfo cfr_plus_info();

}  // namespace cleave::solve
