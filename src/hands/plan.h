#pragma once

#include "hands/counts.h"
#include "hands/spot_solver.h"

namespace cleave::hands {

inline constexpr std::array kStorages = {Storage::kF32, Storage::kI16, Storage::kF64};

// All that is known of a problem before it is solved.
struct ProblemSize {
  Counts counts;
  uint64_t available = 0;             // bytes that are free
  std::array<double, 3> needed = {};  // [storage]; lower bounds unless the counts are exact
  double bytes(Storage storage) const { return needed[static_cast<size_t>(storage)]; }
};
ProblemSize measure(const Problem& problem, const SolverOptions& options);

// The same; throws InputError with the numbers and what to do where the machine has not that much.
ProblemSize plan_solve(const Problem& problem, const SolverOptions& options);

}  // namespace cleave::hands
