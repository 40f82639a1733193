#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "solve/evaluate.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

using tree::kNone;
using tree::Tree;

// The moves that lead to a history, counted from 1: "2, 1, 4".
std::string moves_to(const Tree& tree, uint32_t history) {
  std::string text;
  for (uint32_t h = history; tree.parent[h] != kNone; h = tree.parent[h]) {
    text = fmt::format("{}{}{}", tree.action(h) + 1, text.empty() ? "" : ", ", text);
  }
  return text;
}

void require_perfect_information(const Tree& tree) {
  if (tree.perfect_information) return;
  const auto found =
      std::ranges::find_if(tree.infoset_size, [](uint32_t size) { return size > 1; });
  const auto set = static_cast<uint32_t>(found - tree.infoset_size.begin());
  const size_t player = tree.player(set);
  core::reject(
      "algorithm 'backward-induction' needs a game of perfect information; in {} information set "
      "{} of player {} holds {} histories (one is after moves {})",
      tree.name, set - tree.infoset_begin[player] + 1, player + 1, *found,
      moves_to(tree, tree.first_history[set]));
}

// The first child within kTieTolerance of the best, as in best_respond(); `sign` is -1 for the
// player who minimises.
uint32_t first_best_child(const Tree& tree, const std::vector<double>& value, uint32_t history,
                          double sign) {
  double best = -INFINITY;
  for (uint32_t c = tree.child_begin[history]; c < tree.child_begin[history + 1]; ++c) {
    best = std::max(best, sign * value[c]);
  }
  const double enough = best - kTieTolerance * std::max(1.0, std::abs(best));
  uint32_t child = tree.child_begin[history];
  while (sign * value[child] < enough) ++child;
  return child;
}

}  // namespace

ExactSolution induce_backward(const Problem& problem) {
  const Tree& tree = problem.tree;
  require_perfect_information(tree);
  ExactSolution solution{0, tree::Strategy(tree.num_slots(), 0.0)};
  std::vector<double> value(tree.num_histories(), 0.0);  // to player one
  for (auto h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    if (tree.actor[h] == tree::kTerminal) {
      value[h] = tree.payoff[tree.infoset[h]];
    } else if (tree.actor[h] == tree::kChance) {
      for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
        value[h] += tree.probability[c] * value[c];
      }
    } else {
      const uint32_t best = first_best_child(tree, value, h, tree.actor[h] == 0 ? 1 : -1);
      value[h] = value[best];
      solution.strategy[tree.slot_begin[tree.infoset[h]] + tree.action(best)] = 1;
    }
  }
  solution.value = value[0] + tree.shift;
  return solution;
}

SolverInfo backward_induction_info() {
  return {"backward-induction",
          "one pass from the ends of a game of perfect information: exact",
          {},
          true,
          [](const Problem& problem, core::Params&, const RunOptions&) -> std::unique_ptr<Solver> {
            require_perfect_information(problem.tree);
            return std::make_unique<OneShot>(problem, induce_backward);
          }};
}

}  // namespace cleave::solve
