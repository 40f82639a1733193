#pragma once

#include <memory>

#include "solve_run.h"

namespace cleave::cli {

// A game in the tree engine: built-in, .efg, or a small .game.
std::unique_ptr<SolveRun> make_tree_solve(const SolveArguments& args);

}  // namespace cleave::cli
