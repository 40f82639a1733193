#include "solve/problem.h"

namespace cleave::solve {

Problem make_problem(const games::Game& game, const tree::CompileOptions& options) {
  tree::Tree tree = tree::compile(game, options);
  tree::require_solvable(tree, game, "solving");
  return make_problem(std::move(tree));
}

Problem make_problem(tree::Tree tree) {
  Problem problem{std::move(tree), {}};
  problem.form = tree::make_sequence_form(problem.tree);
  return problem;
}

}  // namespace cleave::solve
