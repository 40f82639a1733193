#include "solve/problem.h"

namespace cleave::solve {

Problem make_problem(const games::Game& game, const tree::CompileOptions& options) {
  Problem problem{tree::compile(game, options), {}};
  tree::require_solvable(problem.tree, game, "solving");
  problem.form = tree::make_sequence_form(problem.tree);
  return problem;
}

}  // namespace cleave::solve
