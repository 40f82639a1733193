#include "solve/worth.h"

#include <algorithm>
#include <limits>

#include "solve/evaluate.h"

namespace cleave::solve {
namespace {

using tree::kTerminal;
using tree::Strategy;
using tree::Tree;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// [history]: the reach of each player and of chance (last).
std::array<std::vector<double>, 3> reach_of(const Tree& tree, const Strategy& strategy) {
  std::array<std::vector<double>, 3> reach;
  for (auto& one : reach) one.assign(tree.num_histories(), 1);
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const uint32_t above = tree.parent[h];
    for (auto& one : reach) one[h] = one[above];
    reach[std::min<size_t>(tree.actor[above], 2)][h] *= probability_of_step(tree, strategy, h);
  }
  return reach;
}

std::vector<double> values_of(const Tree& tree, const Strategy& strategy) {
  std::vector<double> value(tree.num_histories(), 0);
  for (auto h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    if (tree.actor[h] == kTerminal) value[h] = tree.payoff[tree.infoset[h]] + tree.shift;
    for (uint32_t child = tree.child_begin[h]; child < tree.child_begin[h + 1]; ++child) {
      value[h] += probability_of_step(tree, strategy, child) * value[child];
    }
  }
  return value;
}

// Sums over the histories of each information set, weighted by the others' reach, then divided.
void add_set_values(const Tree& tree, const Strategy& strategy, const std::vector<double>& others,
                    Worth& worth) {
  worth.action_value.assign(tree.num_slots(), 0);
  worth.set_value.assign(tree.num_infosets(), 0);
  std::vector<double> weight(tree.num_infosets(), 0);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] > 1) continue;
    const uint32_t set = tree.infoset[h];
    weight[set] += others[h];
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      const double value = worth.value[tree.child_begin[h] + a];
      worth.action_value[tree.slot_begin[set] + a] +=
          others[h] * (tree.actor[h] == 0 ? value : tree.payoff_sum_low - value);
    }
  }
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    // What player 2 gets is known only where the sum is.
    const bool known = weight[set] > 0 && (tree.player(set) == 0 || tree.constant_sum());
    const double divisor = known ? weight[set] : kUnknown;
    worth.best[set] = worth.best[set] / divisor + tree.shift;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      worth.action_value[slot] /= divisor;
      worth.set_value[set] += strategy[slot] * worth.action_value[slot];
    }
  }
}

Worth make_worth(const Tree& tree, const Strategy& strategy, std::vector<double> best) {
  Worth worth;
  worth.value = values_of(tree, strategy);
  auto reach = reach_of(tree, strategy);
  worth.reach.resize(tree.num_histories());
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    worth.reach[h] = reach[0][h] * reach[1][h] * reach[2][h];
  }
  for (const uint32_t h : tree.first_history) worth.own_reach.push_back(reach[tree.actor[h]][h]);
  worth.best = std::move(best);
  // At a player's own history the others are chance and the other player.
  std::vector<double>& others = reach[2];
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2) others[h] *= reach[1 - tree.actor[h]][h];
  }
  add_set_values(tree, strategy, others, worth);
  return worth;
}

}  // namespace

Worth find_worth(const Problem& problem, const Strategy& strategy) {
  std::vector<double> best = counterfactual_best_response(problem, 0, strategy);
  const std::vector<double> second = counterfactual_best_response(problem, 1, strategy);
  best.insert(best.end(), second.begin(), second.end());
  return make_worth(problem.tree, strategy, std::move(best));
}

Worth find_worth(const Tree& tree, const Strategy& strategy) {
  return make_worth(tree, strategy, std::vector<double>(tree.num_infosets(), kUnknown));
}

}  // namespace cleave::solve
