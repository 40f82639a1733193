#pragma once

#include "hands/counts.h"
#include "hands/spot_solver.h"

namespace cleave::hands {

// The plan of a solve, if the machine has that much: throws InputError with the numbers and what to
// do, before anything is allocated.
struct PlannedLayout {
  Layout sketch;
  Counts counts;
  MemoryPlan plan;
};
PlannedLayout plan_solve(const Problem& problem, const SolverOptions& options);

}  // namespace cleave::hands
