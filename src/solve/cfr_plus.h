#pragma once

#include "solve/full_width.h"

namespace cleave::solve {

// CFR+ (Tammelin 2014): regret matching plus, R = max(R + r, 0); iteration t weighs t^average.
struct CfrPlusParams {
  Updates updates = Updates::kAlternating;
  double average = 1;
};
Schedule cfr_plus_schedule(const CfrPlusParams& params);
SolverInfo cfr_plus_info();

}  // namespace cleave::solve
