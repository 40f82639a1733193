#include "solve/solver.h"

namespace cleave::solve {

void Solver::average_plan(int player, std::span<double> plan) const {
  tree::plan_from_strategy(problem_.tree, problem_.form.player[static_cast<size_t>(player)],
                           strategy(), plan);
}

}  // namespace cleave::solve
