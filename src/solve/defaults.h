#pragma once

#include "solve/problem.h"

namespace cleave::solve {

// What `cleave solve` takes when nothing is asked for: measured best over the built-in games, see
// docs/solvers.md.
inline constexpr const char* kDefaultAlgorithm = "pcfr+";

// A sensible accuracy: this fraction of the largest difference between two payoffs.
double default_target(const Problem& problem, double accuracy);

}  // namespace cleave::solve
