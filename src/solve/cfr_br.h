#pragma once

#include <array>

#include "solve/evaluate.h"
#include "solve/full_width.h"

namespace cleave::solve {

// CFR-BR (Johanson et al. 2012), the trunk being the whole game: each player, in a game of its own,
// learns by regret matching plus against an opponent who best-responds to its current strategy.
// The average and, in the limit, the current strategies are optimal.
struct CfrBrParams {
  double average = 1;  // iteration t weighs t^average
};

class CfrBr final : public Solver {
 public:
  CfrBr(const Problem& problem, const RunOptions& options, CfrBrParams params);

  void iterate() override;
  void average_plan(size_t player, std::span<double> plan) const override;
  tree::Strategy strategy() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 private:
  void learn(size_t hero, double decay);

  CfrBrParams params_;
  Workspace work_;
  std::array<Learner, 2> learner_;
};

SolverInfo cfr_br_info();

}  // namespace cleave::solve
