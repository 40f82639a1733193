#include "solve/learner.h"

#include <algorithm>

#include "solve/passes.h"

namespace cleave::solve {

using tree::Group;

namespace {

// Uniform at every information set, dummies too.
core::Reals uniform_plan_strategy(const tree::Treeplex& plex) {
  core::Reals strategy(plex.num_sequences, 0.0);
  for (const Group& group : plex.groups) {
    std::fill_n(strategy.begin() + group.first_sequence, group.num_actions * group.width,
                1.0 / group.num_actions);
  }
  return strategy;
}

// Probabilities in sequence order -> the player's part of a strategy by slots.
void copy_behaviour(const tree::Tree& tree, const tree::Treeplex& plex,
                    const core::Reals& probabilities, tree::Strategy& strategy) {
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t set = plex.infoset[group.first_position + m];
      if (set == tree::kNone) continue;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        strategy[tree.slot_begin[set] + a] =
            probabilities[group.first_sequence + a * group.width + m];
      }
    }
  }
}

}  // namespace

Learner::Learner(const tree::Treeplex& plex)
    : regret(plex.num_sequences, 0.0),
      strategy(uniform_plan_strategy(plex)),
      average(plex.num_sequences, 0.0),
      reach(plex.num_sequences, 0.0) {
  reach[tree::kEmptySequence] = 1;
}

void descend_and_average(const tree::Treeplex& plex, int threads, double decay, Learner& learner,
                         size_t top) {
  double& weight = learner.average[tree::kEmptySequence];
  weight = weight * decay + 1;
  descend(
      plex, threads,
      [&](const Group& group) {
        const size_t first = group.first_sequence;
        kernels::descend_and_average_group(group.num_actions, group.width,
                                           plex.parent.data() + group.first_position,
                                           learner.strategy.data() + first, learner.reach.data(),
                                           first, decay, learner.average.data() + first);
      },
      top);
}

void learn_against(const Problem& problem, size_t player, const core::Reals& opponent_plan,
                   const kernels::RegretUpdate& update, Workspace& work, Learner& learner) {
  problem.form.payoff[player].multiply(opponent_plan.data(), work.q[player].data(), work.threads);
  learn_from_values(problem, player, update, work, learner);
}

void learn_from_values(const Problem& problem, size_t player, const kernels::RegretUpdate& update,
                       Workspace& work, Learner& learner, size_t top) {
  double* q = work.q[player].data();
  ascend(
      problem.form.player[player], work.threads, q, work.value.data(),
      [&](const Group& group, double* value) {
        const size_t first = group.first_sequence;
        kernels::update_group(update, group.num_actions, group.width, q + first,
                              learner.regret.data() + first, learner.strategy.data() + first,
                              value);
      },
      top);
}

tree::Strategy average_strategy(const Problem& problem, const std::array<Learner, 2>& learners) {
  tree::Strategy strategy(problem.tree.num_slots());
  for (size_t p = 0; p < 2; ++p) {
    const tree::Treeplex& plex = problem.form.player[p];
    copy_behaviour(problem.tree, plex, learners[p].strategy, strategy);
    tree::strategy_from_plan(problem.tree, plex, learners[p].average, strategy);
  }
  return strategy;
}

void save_learners(tree::Archive& archive, const std::array<Learner, 2>& learners) {
  for (size_t p = 0; p < 2; ++p) {
    save_reals(archive, "regret", p, learners[p].regret);
    save_reals(archive, "strategy", p, learners[p].strategy);
    save_reals(archive, "average", p, learners[p].average);
  }
}

void load_learners(const tree::Archive& archive, std::array<Learner, 2>& learners) {
  for (size_t p = 0; p < 2; ++p) {
    const auto load = [&](const char* name, core::Reals& values) {
      std::ranges::copy(load_reals(archive, name, p, values.size()), values.begin());
    };
    load("regret", learners[p].regret);
    load("strategy", learners[p].strategy);
    load("average", learners[p].average);
  }
}

void save_reals(tree::Archive& archive, const std::string& name, size_t player,
                std::span<const double> values) {
  archive.reals[name + std::to_string(player + 1)].assign(values.begin(), values.end());
}

const std::vector<double>& load_reals(const tree::Archive& archive, const std::string& name,
                                      size_t player, size_t size) {
  return archive.real(name + std::to_string(player + 1), size);
}

}  // namespace cleave::solve
