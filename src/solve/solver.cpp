#include "solve/solver.h"

#include "tree/strategy_file.h"

namespace cleave::solve {

void Solver::average_plan(size_t player, std::span<double> plan) const {
  tree::plan_from_strategy(problem_.tree, problem_.form.player[player], strategy(), plan);
}

void Solver::save_iterations(tree::Archive& archive) const {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
}

void Solver::load_iterations(const tree::Archive& archive) {
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
}

void write_strategy(const games::Game& game, const Problem& problem, const Solver& solver,
                    const std::string& path) {
  if (const auto abstraction = solver.abstraction()) {
    tree::write_abstract_strategy(game, problem.tree, abstraction->cell, solver.strategy(), path);
  } else {
    tree::write_strategy(game, problem.tree, solver.strategy(), path);
  }
}

}  // namespace cleave::solve
