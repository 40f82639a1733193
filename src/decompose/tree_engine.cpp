#include "decompose/tree_engine.h"

#include <algorithm>

#include "solve/passes.h"
#include "tree/strategy.h"

namespace cleave::decompose {

using tree::Group;

namespace {

// The entry sets are alone on level 0 of each player: what the engine sees to itself.
constexpr size_t kTop = 1;

}  // namespace

TreeEngine::TreeEngine(const Piece& piece, int threads)
    : piece_(piece),
      learner_{solve::Learner(piece.problem.form.player[0]),
               solve::Learner(piece.problem.form.player[1])},
      work_(piece.problem) {
  work_.threads = threads;
  for (size_t p = 0; p < 2; ++p) {
    const tree::Treeplex& plex = piece.problem.form.player[p];
    for (uint32_t s = 0; s < piece.root.states[p].size(); ++s) {
      root_sequence_[p].push_back(plex.sequence(plex.first_slot + s));
    }
  }
  for (const Border& leaf : piece.leaves) {
    leaf_values_.push_back({std::vector<double>(leaf.states[0].size(), 0.0),
                            std::vector<double>(leaf.states[1].size(), 0.0)});
  }
}

size_t TreeEngine::num_states(int player) const {
  return root_sequence_[static_cast<size_t>(player)].size();
}

void TreeEngine::counterfactual_reach(int player, std::span<const double> other_reach,
                                      std::span<double> rho) const {
  const auto p = static_cast<size_t>(player);
  std::ranges::fill(rho, 0.0);
  for (size_t i = 0; i < piece_.root.histories.size(); ++i) {
    rho[piece_.root.state_of[p][i]] +=
        piece_.chance[i] * other_reach[piece_.root.state_of[1 - p][i]];
  }
}

void TreeEngine::reset() {
  for (size_t p = 0; p < 2; ++p) learner_[p] = solve::Learner(piece_.problem.form.player[p]);
}

void TreeEngine::descend(int player, std::span<const double> root_reach, double decay) {
  const auto p = static_cast<size_t>(player);
  solve::Learner& learner = learner_[p];
  for (size_t s = 0; s < root_reach.size(); ++s) {
    const uint32_t sequence = root_sequence_[p][s];
    learner.reach[sequence] = root_reach[s];
    learner.average[sequence] = learner.average[sequence] * decay + root_reach[s];
  }
  solve::descend_and_average(piece_.problem.form.player[p], work_.threads, decay, learner, kTop);
}

void TreeEngine::learn(int player, const kernels::RegretUpdate& update, std::span<double> values) {
  const auto p = static_cast<size_t>(player);
  double* q = work_.q[p].data();
  piece_.problem.form.payoff[p].multiply(learner_[1 - p].reach.data(), q, work_.threads);
  add_leaf_values(player, q);
  solve::learn_from_values(piece_.problem, p, update, work_, learner_[p], kTop);
  read_root(player, q, values);
}

void TreeEngine::add_leaf_values(int player, double* q) const {
  const auto p = static_cast<size_t>(player);
  for (size_t leaf = 0; leaf < leaf_values_.size(); ++leaf) {
    const auto& sequences = piece_.leaf_sequence[leaf][p];
    for (size_t s = 0; s < sequences.size(); ++s) q[sequences[s]] += leaf_values_[leaf][p][s];
  }
}

void TreeEngine::read_root(int player, const double* q, std::span<double> values) const {
  const auto& sequences = root_sequence_[static_cast<size_t>(player)];
  for (size_t s = 0; s < sequences.size(); ++s) values[s] = q[sequences[s]];
}

void TreeEngine::average_plan(int player, std::span<const double> root_reach,
                              core::Reals& plan) const {
  const auto p = static_cast<size_t>(player);
  const tree::Treeplex& plex = piece_.problem.form.player[p];
  const solve::Learner& learner = learner_[p];
  std::ranges::fill(plan, 0.0);
  plan[tree::kEmptySequence] = 1;
  for (size_t s = 0; s < root_reach.size(); ++s) plan[root_sequence_[p][s]] = root_reach[s];
  solve::descend(
      plex, 1,
      [&](const Group& group) {
        for (uint32_t m = 0; m < group.width; ++m) {
          const double reach = plan[plex.parent[group.first_position + m]];
          if (reach == 0) continue;
          double sum = 0;
          for (uint32_t a = 0; a < group.num_actions; ++a) {
            sum += learner.average[group.first_sequence + a * group.width + m];
          }
          for (uint32_t a = 0; a < group.num_actions; ++a) {
            const size_t i = group.first_sequence + a * group.width + m;
            plan[i] = reach * (sum > 0 ? learner.average[i] / sum : learner.strategy[i]);
          }
        }
      },
      kTop);
}

void TreeEngine::evaluate(const Vectors& root_reach, Vectors& values) {
  for (int p = 0; p < 2; ++p) {
    average_plan(p, root_reach[static_cast<size_t>(p)], work_.plan[static_cast<size_t>(p)]);
  }
  for (size_t p = 0; p < 2; ++p) {
    double* q = work_.q[p].data();
    const tree::Treeplex& plex = piece_.problem.form.player[p];
    piece_.problem.form.payoff[p].multiply(work_.plan[1 - p].data(), q, work_.threads);
    add_leaf_values(static_cast<int>(p), q);
    // Values with the average behaviour; its plan alone would lose states of zero reach.
    const solve::Learner& learner = learner_[p];
    solve::ascend(
        plex, work_.threads, q, work_.value.data(),
        [&](const Group& group, double* value) {
          for (uint32_t m = 0; m < group.width; ++m) {
            double sum = 0, weighted = 0, current = 0;
            for (uint32_t a = 0; a < group.num_actions; ++a) {
              const size_t i = group.first_sequence + a * group.width + m;
              sum += learner.average[i];
              weighted += learner.average[i] * q[i];
              current += learner.strategy[i] * q[i];
            }
            value[m] = sum > 0 ? weighted / sum : current;
          }
        },
        kTop);
    read_root(static_cast<int>(p), q, values[p]);
  }
}

void TreeEngine::best_response(int player, std::span<const double> other_reach,
                               std::span<double> values) {
  const auto p = static_cast<size_t>(player);
  average_plan(1 - player, other_reach, work_.plan[1 - p]);
  double* q = work_.q[p].data();
  piece_.problem.form.payoff[p].multiply(work_.plan[1 - p].data(), q, work_.threads);
  add_leaf_values(player, q);
  solve::ascend(
      piece_.problem.form.player[p], work_.threads, q, work_.value.data(),
      [&](const Group& group, double* value) {
        kernels::maximise_group(group.num_actions, group.width, q + group.first_sequence, value);
      },
      kTop);
  read_root(player, q, values);
}

size_t TreeEngine::num_leaf_states(size_t leaf, int player) const {
  return piece_.leaves[leaf].states[static_cast<size_t>(player)].size();
}

void TreeEngine::leaf_reach(size_t leaf, int player, std::span<double> reach) const {
  const auto p = static_cast<size_t>(player);
  const auto& sequences = piece_.leaf_sequence[leaf][p];
  for (size_t s = 0; s < sequences.size(); ++s) reach[s] = learner_[p].reach[sequences[s]];
}

void TreeEngine::set_leaf_values(size_t leaf, int player, std::span<const double> values) {
  std::ranges::copy(values, leaf_values_[leaf][static_cast<size_t>(player)].begin());
}

size_t TreeEngine::learning_bytes() const {
  size_t bytes = 0;
  for (const solve::Learner& learner : learner_) {
    bytes += (learner.regret.size() + learner.strategy.size() + learner.average.size() +
              learner.reach.size()) *
             sizeof(double);
  }
  return bytes;
}

void TreeEngine::copy_strategy(int player, tree::Strategy& game_strategy) const {
  const auto p = static_cast<size_t>(player);
  const tree::Treeplex& plex = piece_.problem.form.player[p];
  const tree::Tree& tree = piece_.problem.tree;
  const solve::Learner& learner = learner_[p];
  for (uint32_t set = tree.infoset_begin[p] + 1; set < tree.infoset_begin[p + 1]; ++set) {
    double sum = 0;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      sum += learner.average[plex.sequence(slot)];
    }
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      const uint32_t i = plex.sequence(slot);
      game_strategy[piece_.source_slot[slot]] =
          sum > 0 ? learner.average[i] / sum : learner.strategy[i];
    }
  }
}

void TreeEngine::set_strategy(const tree::Strategy& game_strategy) {
  const tree::Tree& tree = piece_.problem.tree;
  for (size_t p = 0; p < 2; ++p) {
    const tree::Treeplex& plex = piece_.problem.form.player[p];
    for (uint32_t set = tree.infoset_begin[p] + 1; set < tree.infoset_begin[p + 1]; ++set) {
      for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
        // As an average it needs no reach: only proportions within a set are ever read.
        const uint32_t i = plex.sequence(slot);
        learner_[p].strategy[i] = learner_[p].average[i] = game_strategy[piece_.source_slot[slot]];
      }
    }
  }
}

}  // namespace cleave::decompose
