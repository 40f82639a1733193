#include "solve/defaults.h"

#include <algorithm>

#include "solve/solver.h"

namespace cleave::solve {

double default_target(const Problem& problem, double accuracy) {
  const auto [low, high] = std::ranges::minmax(problem.tree.payoff);
  return accuracy * std::max(high - low, 1e-9);
}

void add_default_target(const Problem& problem, std::string_view algorithm, Limits& limits) {
  const SolverInfo& info = find_solver(core::parse_call(algorithm).name);
  if (limits.none() && !info.exact) limits.target = default_target(problem, info.accuracy);
}

}  // namespace cleave::solve
