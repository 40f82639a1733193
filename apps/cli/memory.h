#pragma once

#include <cstdint>
#include <string>

#include "hands/counts.h"
#include "hands/spot_solver.h"

namespace cleave::cli {

// Bytes that a new allocation can have without swapping, by the machine and by the control group
// that the program runs in.
uint64_t available_memory();

// The plan of a solve, if the machine has that much: throws InputError with the numbers and what to
// do, before anything is allocated.
struct PlannedLayout {
  hands::Layout sketch;
  hands::Counts counts;
  hands::MemoryPlan plan;
};
PlannedLayout plan_solve(const hands::Problem& problem, const hands::SolverOptions& options);

}  // namespace cleave::cli
