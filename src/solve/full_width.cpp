#include <algorithm>
#include <array>

#include "solve/learner.h"
#include "solve/passes.h"
#include "solve/solvers.h"

namespace cleave::solve {

Learner::Learner(const tree::Treeplex& plex)
    : regret(plex.num_sequences, 0.0),
      strategy(plex.num_sequences, 0.0),
      average(plex.num_sequences, 0.0),
      reach(plex.num_sequences, 0.0) {
  for (const tree::Group& group : plex.groups) {  // dummies too
    std::fill_n(strategy.begin() + group.first_sequence, group.num_actions * group.width,
                1.0 / group.num_actions);
  }
  reach[tree::kEmptySequence] = 1;
}

void descend_and_average(const tree::Treeplex& plex, int threads, double decay, Learner& learner,
                         size_t top) {
  double& weight = learner.average[tree::kEmptySequence];
  weight = weight * decay + 1;
  descend(
      plex, threads,
      [&](const tree::Group& group) {
        const size_t first = group.first_sequence;
        kernels::descend_and_average_group(group.num_actions, group.width,
                                           plex.parent.data() + group.first_position,
                                           learner.strategy.data() + first, learner.reach.data(),
                                           first, decay, learner.average.data() + first);
      },
      top);
}

void learn_from_values(const Problem& problem, size_t player, const kernels::RegretUpdate& update,
                       Workspace& work, Learner& learner, size_t top) {
  double* q = work.q[player].data();
  ascend(
      problem.form.player[player], work.threads, q, work.value.data(),
      [&](const tree::Group& group, double* value) {
        const size_t first = group.first_sequence;
        kernels::update_group(update, group.num_actions, group.width, q + first,
                              learner.regret.data() + first, learner.strategy.data() + first,
                              value);
      },
      top);
}

void save_reals(tree::Archive& archive, const std::string& name, size_t player,
                std::span<const double> values) {
  archive.reals[name + std::to_string(player + 1)].assign(values.begin(), values.end());
}

void load_reals(const tree::Archive& archive, const std::string& name, size_t player,
                std::span<double> values) {
  const std::vector<double>& stored =
      archive.real(name + std::to_string(player + 1), values.size());
  std::copy_n(stored.begin(), values.size(), values.begin());
}

namespace {

// What solvers whose players learn by regrets over the whole game share.
class RegretSolver : public Solver {
 public:
  void average_plan(size_t player, std::span<double> plan) const override {
    std::ranges::copy(learner_[player].average, plan.begin());
  }

  // The averages of both; where own reach is zero, the current strategies.
  tree::Strategy strategy() const override {
    tree::Strategy strategy(problem_.tree.num_slots());
    for (size_t p = 0; p < 2; ++p) {
      const tree::Treeplex& plex = problem_.form.player[p];
      plex.for_each_set([&](const tree::Group& group, uint32_t m, uint32_t set) {
        for (uint32_t a = 0; a < group.num_actions; ++a) {
          strategy[problem_.tree.slot_begin[set] + a] =
              learner_[p].strategy[group.first_sequence + a * group.width + m];
        }
      });
      tree::strategy_from_plan(problem_.tree, plex, learner_[p].average, strategy);
    }
    return strategy;
  }

  void save_state(tree::Archive& archive) const override {
    for (size_t p = 0; p < 2; ++p) {
      for (const auto& [name, values] : kStored) save_reals(archive, name, p, learner_[p].*values);
    }
  }
  void load_state(const tree::Archive& archive) override {
    for (size_t p = 0; p < 2; ++p) {
      for (const auto& [name, values] : kStored) load_reals(archive, name, p, learner_[p].*values);
    }
  }

 protected:
  RegretSolver(const Problem& problem, int threads)
      : Solver(problem),
        learner_{Learner(problem.form.player[0]), Learner(problem.form.player[1])},
        work_(problem, threads) {}

  void send_reach(size_t player, double decay) {
    descend_and_average(problem_.form.player[player], work_.threads, decay, learner_[player]);
  }
  // Across: action values against the opponent's plan. Up: regrets and the next strategy from them.
  void learn(size_t player, const core::Reals& opponent_plan, const kernels::RegretUpdate& update) {
    problem_.form.payoff[player].multiply(opponent_plan.data(), work_.q[player].data(),
                                          work_.threads);
    learn_from_values(problem_, player, update, work_, learner_[player]);
  }

  std::array<Learner, 2> learner_;
  Workspace work_;

 private:
  static constexpr std::pair<const char*, core::Reals Learner::*> kStored[] = {
      {"regret", &Learner::regret},
      {"strategy", &Learner::strategy},
      {"average", &Learner::average}};
};

// Counterfactual regret minimisation over the whole game with any minimiser. In an alternating
// iteration player one learns against player two's current strategy, then player two against player
// one's new one. The average is over the strategies the opponent learnt against: the case for which
// Burch, Moravcik and Schmid (2019) prove that alternating updates keep CFR's bound.
class FullWidth final : public RegretSolver {
 public:
  FullWidth(const Problem& problem, const RunOptions& options, Updates updates, Schedule schedule)
      : RegretSolver(problem, options.threads), updates_(updates), schedule_(std::move(schedule)) {}

  void iterate() override {
    const Iteration now = schedule_(++iterations_);
    const bool alternating = updates_ == Updates::kAlternating;
    if (!alternating) {
      for (size_t p = 0; p < 2; ++p) send_reach(p, now.average_decay);
    }
    for (size_t p = 0; p < 2; ++p) {
      if (alternating) send_reach(1 - p, now.average_decay);
      learn(p, learner_[1 - p].reach, now.regret);
    }
  }

 private:
  Updates updates_;
  Schedule schedule_;
};

class CfrBr final : public RegretSolver {
 public:
  CfrBr(const Problem& problem, core::Params& params, const RunOptions& options)
      : RegretSolver(problem, options.threads), average_(params.real("average", 1, 0, 100)) {}

  void iterate() override {
    ++iterations_;
    for (size_t hero = 0; hero < 2; ++hero) {
      const size_t opp = 1 - hero;
      send_reach(hero, average_decay(iterations_, average_));
      best_response_values(problem_, opp, learner_[hero].reach, work_, work_.q[opp]);
      best_response_plan(problem_.form.player[opp], work_.q[opp], work_.plan[opp]);
      learn(hero, work_.plan[opp], {.floor = true});
    }
  }

 private:
  double average_;  // iteration t weighs t^average
};

}  // namespace

std::unique_ptr<Solver> make_full_width(const Problem& problem, const RunOptions& options,
                                        Updates updates, Schedule schedule) {
  return std::make_unique<FullWidth>(problem, options, updates, std::move(schedule));
}

SolverInfo cfr_br_info() {
  return entry_of<CfrBr>("cfr-br", "CFR+ for each player against a best-responding opponent",
                         SolverInfo::kCoarse,
                         {{"average", "1", "exponent of the weights t^average"}});
}

}  // namespace cleave::solve
