#include "tree/strategy.h"

#include <algorithm>
#include <cmath>

namespace cleave::tree {

Strategy uniform_strategy(const Tree& tree) {
  Strategy strategy(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      strategy[slot] = 1.0 / tree.num_actions(set);
    }
  }
  return strategy;
}

double probability_of_step(const Tree& tree, const Strategy& strategy, uint32_t history) {
  const uint32_t above = tree.parent[history];
  if (tree.actor[above] == kChance) return tree.probability[history];
  return strategy[tree.slot_begin[tree.infoset[above]] + tree.action(history)];
}

std::vector<std::pair<double, uint32_t>> changed_sets(const Tree& tree, const Strategy& before,
                                                      const Strategy& after, double least) {
  std::vector<std::pair<double, uint32_t>> changed;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    double distance = 0;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      distance += std::abs(after[slot] - before[slot]) / 2;
    }
    if (distance > least) changed.emplace_back(distance, set);
  }
  std::ranges::sort(changed, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return changed;
}

void plan_from_strategy(const Tree& tree, const Treeplex& plex, const Strategy& strategy,
                        std::span<double> plan) {
  std::fill(plan.begin(), plan.end(), 0.0);
  plan[kEmptySequence] = 1;
  plex.for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
    const double above = plan[plex.parent[group.first_position + m]];
    for (uint32_t a = 0; a < group.num_actions; ++a) {
      plan[group.first_sequence + a * group.width + m] = above * strategy[tree.slot_begin[set] + a];
    }
  });
}

void strategy_from_plan(const Tree& tree, const Treeplex& plex, std::span<const double> plan,
                        Strategy& strategy) {
  plex.for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
    double sum = 0;
    for (uint32_t a = 0; a < group.num_actions; ++a) {
      sum += plan[group.first_sequence + a * group.width + m];
    }
    if (!(sum > 0)) return;
    for (uint32_t a = 0; a < group.num_actions; ++a) {
      strategy[tree.slot_begin[set] + a] = plan[group.first_sequence + a * group.width + m] / sum;
    }
  });
}

}  // namespace cleave::tree
