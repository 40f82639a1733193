#pragma once

#include <memory>

#include "hands/problem.h"
#include "solve_run.h"

namespace cleave::cli {

// A hold'em spot, or a whole game of poker, in the vector engine.
std::unique_ptr<SolveRun> make_spot_solve(const SolveArguments& args, hands::Problem problem);

}  // namespace cleave::cli
