#include "solve/solver.h"

namespace cleave::solve {

void Solver::average_plan(int player, std::span<double> plan) const {
  tree::plan_from_strategy(problem_.tree, problem_.form.player[static_cast<size_t>(player)],
                           strategy(), plan);
}

void Solver::save_iterations(tree::Archive& archive) const {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
}

void Solver::load_iterations(const tree::Archive& archive) {
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
}

}  // namespace cleave::solve
