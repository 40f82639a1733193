#include "solve/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/passes.h"

namespace cleave::solve {
namespace {

using tree::Group;
using tree::kTerminal;
using tree::Strategy;
using tree::Tree;
using tree::Treeplex;

double dot(const double* a, const double* b, size_t n) {
  double sums[4] = {};  // sequences are padded to a multiple of four
  for (size_t i = 0; i < n; i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Workspace::Workspace(const Problem& problem, int num_threads) : threads(num_threads) {
  size_t positions = 0;
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem.form.player[p];
    plan[p].resize(plex.num_sequences);
    q[p].resize(plex.num_sequences);
    positions = std::max(positions, plex.infoset.size());
  }
  value.resize(positions);
}

double maximise(const Treeplex& plex, std::span<double> q, Workspace& work) {
  ascend(plex, work.threads, q.data(), work.value.data(), [&](const Group& group, double* value) {
    kernels::maximise_group(group.num_actions, group.width, q.data() + group.first_sequence, value);
  });
  return q[tree::kEmptySequence];
}

double best_response_values(const Problem& problem, size_t player,
                            std::span<const double> other_plan, Workspace& work,
                            std::span<double> q) {
  problem.form.multiply(player, other_plan.data(), q.data(), work.threads);
  return maximise(problem.form.player[player], q, work);
}

double expected_value(const Problem& problem, std::span<const double> plan_one,
                      std::span<const double> plan_two, Workspace& work) {
  problem.form.multiply(0, plan_two.data(), work.q[0].data(), work.threads);
  return dot(plan_one.data(), work.q[0].data(), plan_one.size());
}

Certificate certify(const Problem& problem, Workspace& work) {
  const double weight[2] = {work.plan[0][tree::kEmptySequence], work.plan[1][tree::kEmptySequence]};
  Certificate certificate;
  const double value = expected_value(problem, work.plan[0], work.plan[1], work);
  certificate.value = value / (weight[0] * weight[1]) + problem.tree.shift;
  // work.q[0] holds the payoffs against player two: the best response goes on from there.
  double gain[2];
  gain[0] = maximise(problem.form.player[0], work.q[0], work) / weight[1];
  gain[1] = best_response_values(problem, 1, work.plan[0], work, work.q[1]) / weight[0];
  for (size_t p = 0; p < 2; ++p) certificate.best_response[p] = gain[p] + problem.tree.shift;
  certificate.exploitability = (gain[0] + gain[1]) / 2;
  return certificate;
}

Certificate certify(const Problem& problem, const tree::Strategy& strategy) {
  Workspace work(problem);
  for (size_t p = 0; p < 2; ++p) {
    tree::plan_from_strategy(problem.tree, problem.form.player[p], strategy, work.plan[p]);
  }
  return certify(problem, work);
}

size_t best_action(const double* q, const Group& group, size_t m, Ties ties) {
  double best = q[m];
  for (size_t a = 1; a < group.num_actions; ++a) best = std::max(best, q[a * group.width + m]);
  const double enough = best - kTieTolerance * std::max(1.0, std::abs(best));
  const bool first = ties == Ties::kFirst;
  size_t a = first ? 0 : group.num_actions - 1;
  while (q[a * group.width + m] < enough) a = first ? a + 1 : a - 1;
  return a;
}

void best_response_plan(const Treeplex& plex, std::span<const double> q, std::span<double> plan,
                        Ties ties) {
  std::ranges::fill(plan, 0.0);
  plan[tree::kEmptySequence] = 1;
  for (const Group& group : plex.groups) {
    const double* values = q.data() + group.first_sequence;
    for (uint32_t m = 0; m < group.width; ++m) {
      if (plan[plex.parent[group.first_position + m]] == 0) continue;
      plan[group.first_sequence + best_action(values, group, m, ties) * group.width + m] = 1;
    }
  }
}

// Into work.q[p] and work.value; returns the value at the root.
static double respond_to(const Problem& problem, size_t p, const tree::Strategy& strategy,
                         Workspace& work) {
  tree::plan_from_strategy(problem.tree, problem.form.player[1 - p], strategy, work.plan[1 - p]);
  return best_response_values(problem, p, work.plan[1 - p], work, work.q[p]);
}

double best_respond(const Problem& problem, size_t p, tree::Strategy& strategy) {
  Workspace work(problem);
  const double value = respond_to(problem, p, strategy, work);
  problem.form.player[p].for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
    const uint32_t slot = problem.tree.slot_begin[set];
    std::fill_n(strategy.begin() + slot, group.num_actions, 0.0);
    strategy[slot + best_action(work.q[p].data() + group.first_sequence, group, m)] = 1;
  });
  return value + problem.tree.shift;
}

std::vector<double> counterfactual_best_response(const Problem& problem, size_t p,
                                                 const tree::Strategy& strategy) {
  Workspace work(problem);
  respond_to(problem, p, strategy, work);
  const uint32_t first = problem.tree.infoset_begin[p];
  std::vector<double> values(problem.tree.infoset_begin[p + 1] - first);
  problem.form.player[p].for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
    values[set - first] = work.value[group.first_position + m];
  });
  return values;
}

namespace {

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
