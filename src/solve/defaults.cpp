#include "solve/defaults.h"

#include <algorithm>

namespace cleave::solve {

double default_target(const Problem& problem, double accuracy) {
  const auto [low, high] = std::ranges::minmax(problem.tree.payoff);
  return accuracy * std::max(high - low, 1e-9);
}

}  // namespace cleave::solve
