#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "tree/strategy.h"
#include "tree/tree.h"

// Textbook versions over histories, written without the sequence form, the groups and the kernels:
// slow and plain, the independent route that the engine must agree with.
namespace cleave::reference {

using tree::kChance;
using tree::kNone;
using tree::kTerminal;
using tree::Strategy;
using tree::Tree;

// [history]: product of the probabilities of `player` (or of chance: kChance) on the way.
inline std::vector<double> reach(const Tree& tree, const Strategy& strategy, tree::Actor player) {
  std::vector<double> out(tree.num_histories(), 1.0);
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const uint32_t above = tree.parent[h];
    double step = 1;
    if (tree.actor[above] == player) {
      step = player == kChance ? tree.probability[h]
                               : strategy[tree.slot_begin[tree.infoset[above]] + tree.action(h)];
    }
    out[h] = out[above] * step;
  }
  return out;
}

// [history]: expected payoff to player one from there on (without the shift).
inline std::vector<double> values(const Tree& tree, const Strategy& strategy) {
  std::vector<double> out(tree.num_histories(), 0.0);
  for (uint32_t h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    if (tree.actor[h] == kTerminal) out[h] = tree.payoff[tree.infoset[h]];
    if (h == 0) break;
    const uint32_t above = tree.parent[h];
    const double step = tree.actor[above] == kChance
                            ? tree.probability[h]
                            : strategy[tree.slot_begin[tree.infoset[above]] + tree.action(h)];
    out[above] += step * out[h];
  }
  return out;
}

// Best response by information sets, deepest own decision first: at each, the action with the
// largest sum over histories of (others' reach) * value below, given what was chosen deeper down.
inline double best_response_value(const Tree& tree, const Strategy& strategy, int player) {
  const auto other = reach(tree, strategy, static_cast<tree::Actor>(1 - player));
  const auto chance = reach(tree, strategy, kChance);
  const double sign = player == 0 ? 1 : -1;
  const uint32_t first = tree.infoset_begin[static_cast<size_t>(player)];
  const uint32_t end = tree.infoset_begin[static_cast<size_t>(player) + 1];
  // Own decisions before each set; sets with more are decided first.
  std::vector<int> depth(end - first, 0);
  for (uint32_t set = first; set < end; ++set) {
    int own = 0;
    for (uint32_t h = tree.first_history[set]; h != kNone; h = tree.parent[h]) {
      own += tree.actor[h] == player ? 1 : 0;
    }
    depth[set - first] = own;
  }
  std::vector<uint32_t> order;
  for (uint32_t set = first; set < end; ++set) order.push_back(set);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return depth[a - first] > depth[b - first]; });
  std::vector<std::vector<uint32_t>> members(end - first);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] == player) members[tree.infoset[h] - first].push_back(h);
  }
  Strategy response = strategy;
  // Sum over terminals below h of reach of the others * payoff, following `response` for the
  // player.
  const auto below = [&](uint32_t start) {
    double total = 0;
    std::vector<std::pair<uint32_t, double>> stack{{start, 1.0}};
    while (!stack.empty()) {
      const auto [h, own] = stack.back();
      stack.pop_back();
      if (own == 0) continue;
      if (tree.actor[h] == kTerminal) {
        total += own * other[h] * chance[h] * sign * tree.payoff[tree.infoset[h]];
      }
      for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
        const double step = tree.actor[h] == player
                                ? response[tree.slot_begin[tree.infoset[h]] + tree.action(c)]
                                : 1.0;
        stack.push_back({c, own * step});
      }
    }
    return total;
  };
  for (const uint32_t set : order) {
    const uint32_t actions = tree.num_actions(set);
    uint32_t best = 0;
    double best_value = 0;
    for (uint32_t a = 0; a < actions; ++a) {
      double value = 0;
      for (const uint32_t h : members[set - first]) value += below(tree.child_begin[h] + a);
      if (a == 0 || value > best_value) {
        best = a;
        best_value = value;
      }
    }
    for (uint32_t a = 0; a < actions; ++a) response[tree.slot_begin[set] + a] = a == best ? 1 : 0;
  }
  return below(0);
}

// CFR by the book, alternating: one array per quantity, by slots.
class TextbookCfr {
 public:
  struct Rule {
    bool plus = false;
    bool linear_average = false;
  };
  TextbookCfr(const Tree& tree, Rule rule)
      : tree_(tree),
        rule_(rule),
        strategy_(tree::uniform_strategy(tree)),
        regret_(tree.num_slots(), 0.0),
        sum_(tree.num_slots(), 0.0) {}

  void iterate() {
    ++t_;
    for (int p = 0; p < 2; ++p) {
      add_average(1 - p);
      learn(p);
    }
  }

  // The average strategy of sets reached; uniform elsewhere.
  Strategy average() const {
    Strategy out = tree::uniform_strategy(tree_);
    for (uint32_t set = 0; set < tree_.num_infosets(); ++set) {
      double total = 0;
      for (uint32_t s = tree_.slot_begin[set]; s < tree_.slot_begin[set + 1]; ++s) total += sum_[s];
      if (total <= 0) continue;
      for (uint32_t s = tree_.slot_begin[set]; s < tree_.slot_begin[set + 1]; ++s) {
        out[s] = sum_[s] / total;
      }
    }
    return out;
  }
  const std::vector<double>& sums() const { return sum_; }

 private:
  void add_average(int p) {
    const auto own = reach(tree_, strategy_, static_cast<tree::Actor>(p));
    const double weight = rule_.linear_average ? t_ : 1;
    for (uint32_t set = tree_.infoset_begin[static_cast<size_t>(p)];
         set < tree_.infoset_begin[static_cast<size_t>(p) + 1]; ++set) {
      for (uint32_t s = tree_.slot_begin[set]; s < tree_.slot_begin[set + 1]; ++s) {
        sum_[s] += weight * own[tree_.first_history[set]] * strategy_[s];
      }
    }
  }

  void learn(int p) {
    const auto other = reach(tree_, strategy_, static_cast<tree::Actor>(1 - p));
    const auto chance = reach(tree_, strategy_, kChance);
    const auto value = values(tree_, strategy_);
    const double sign = p == 0 ? 1 : -1;
    std::vector<double> now(tree_.num_slots(), 0.0);
    for (uint32_t h = 0; h < tree_.num_histories(); ++h) {
      if (tree_.actor[h] != p) continue;
      for (uint32_t c = tree_.child_begin[h]; c < tree_.child_begin[h + 1]; ++c) {
        now[tree_.slot_begin[tree_.infoset[h]] + tree_.action(c)] +=
            other[h] * chance[h] * sign * (value[c] - value[h]);
      }
    }
    for (uint32_t set = tree_.infoset_begin[static_cast<size_t>(p)];
         set < tree_.infoset_begin[static_cast<size_t>(p) + 1]; ++set) {
      double total = 0;
      for (uint32_t s = tree_.slot_begin[set]; s < tree_.slot_begin[set + 1]; ++s) {
        regret_[s] += now[s];
        if (rule_.plus) regret_[s] = std::max(regret_[s], 0.0);
        total += std::max(regret_[s], 0.0);
      }
      for (uint32_t s = tree_.slot_begin[set]; s < tree_.slot_begin[set + 1]; ++s) {
        strategy_[s] = total > 0 ? std::max(regret_[s], 0.0) / total : 1.0 / tree_.num_actions(set);
      }
    }
  }

  const Tree& tree_;
  Rule rule_;
  double t_ = 0;
  Strategy strategy_;
  std::vector<double> regret_;
  std::vector<double> sum_;
};

}  // namespace cleave::reference
