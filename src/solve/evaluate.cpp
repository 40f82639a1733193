#include "solve/evaluate.h"

#include <algorithm>
#include <cmath>

#include "solve/passes.h"

namespace cleave::solve {
namespace {

using tree::Group;
using tree::kNone;
using tree::Treeplex;

double dot(const double* a, const double* b, size_t n) {
  double sums[4] = {};  // sequences are padded to a multiple of four
  for (size_t i = 0; i < n; i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

const Treeplex& plex_of(const Problem& problem, size_t player) {
  return problem.form.player[player];
}

}  // namespace

Workspace::Workspace(const Problem& problem) {
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
  return maximise(plex_of(problem, player), q, work);
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
  if (ties == Ties::kLast) {
    size_t a = group.num_actions - 1;
    while (q[a * group.width + m] < enough) --a;
    return a;
  }
  size_t a = 0;
  while (q[a * group.width + m] < enough) ++a;
  return a;
}

double best_respond(const Problem& problem, size_t p, tree::Strategy& strategy) {
  Workspace work(problem);
  tree::plan_from_strategy(problem.tree, problem.form.player[1 - p], strategy, work.plan[1 - p]);
  const double value = best_response_values(problem, p, work.plan[1 - p], work, work.q[p]);
  const Treeplex& plex = problem.form.player[p];
  for (const Group& group : plex.groups) {
    const double* q = work.q[p].data() + group.first_sequence;
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t set = plex.infoset[group.first_position + m];
      if (set == kNone) continue;
      const uint32_t slot = problem.tree.slot_begin[set];
      std::fill_n(strategy.begin() + slot, group.num_actions, 0.0);
      strategy[slot + best_action(q, group, m)] = 1;
    }
  }
  return value + problem.tree.shift;
}

std::vector<double> counterfactual_best_response(const Problem& problem, size_t p,
                                                 const tree::Strategy& strategy) {
  Workspace work(problem);
  tree::plan_from_strategy(problem.tree, problem.form.player[1 - p], strategy, work.plan[1 - p]);
  best_response_values(problem, p, work.plan[1 - p], work, work.q[p]);
  const Treeplex& plex = problem.form.player[p];
  const uint32_t first = problem.tree.infoset_begin[p];
  std::vector<double> values(problem.tree.infoset_begin[p + 1] - first);
  for (size_t i = 0; i < plex.infoset.size(); ++i) {
    if (plex.infoset[i] != kNone) values[plex.infoset[i] - first] = work.value[i];
  }
  return values;
}

}  // namespace cleave::solve
