#pragma once

#include "solve/run.h"

namespace cleave::solve {

// What `cleave solve` takes when nothing is asked for: measured best over the built-in games, see
// docs/solvers.md.
inline constexpr const char* kDefaultAlgorithm = "pcfr+";

// Of a run that nothing limits: the accuracy that its algorithm reaches in a moment, times the
// largest difference between two payoffs; none where the algorithm ends by itself.
void add_default_target(const Problem& problem, std::string_view algorithm, Limits& limits);

}  // namespace cleave::solve
