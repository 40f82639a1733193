#include "solve/defaults.h"

#include <algorithm>

#include "solve/solver.h"

namespace cleave::solve {

void add_default_target(const Problem& problem, std::string_view algorithm, Limits& limits) {
  const SolverInfo& info = find_solver(core::parse_call(algorithm).name);
  if (!limits.none() || info.exact) return;
  const auto [low, high] = std::ranges::minmax(problem.tree.payoff);
  limits.target = info.accuracy * std::max(high - low, 1e-9);
}

}  // namespace cleave::solve
