#pragma once

#include <array>

#include "solve/evaluate.h"
#include "solve/learner.h"
#include "solve/solver.h"

namespace cleave::solve {

// The option every full-width solver has: updates=alternating|simultaneous.
core::ParamInfo updates_param();
Updates read_updates(core::Params& params);

// What solvers whose players learn by regrets over the whole game share.
class RegretSolver : public Solver {
 public:
  void average_plan(size_t player, std::span<double> plan) const override;
  tree::Strategy strategy() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 protected:
  RegretSolver(const Problem& problem, int threads);

  std::array<Learner, 2> learner_;
  Workspace work_;
};

// Counterfactual regret minimisation over the whole game with any minimiser. In an alternating
// iteration player one learns against player two's current strategy, then player two against player
// one's new one. The average is over the strategies the opponent learnt against: the case for which
// Burch, Moravcik and Schmid (2019) prove that alternating updates keep CFR's bound.
class FullWidth final : public RegretSolver {
 public:
  FullWidth(const Problem& problem, const RunOptions& options, Updates updates, Schedule schedule);

  void iterate() override;

 private:
  void send_reach(size_t player, double decay);
  void learn(size_t player, const kernels::RegretUpdate& update);

  Updates updates_;
  Schedule schedule_;
};

}  // namespace cleave::solve
