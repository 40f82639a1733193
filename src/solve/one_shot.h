#pragma once

#include "solve/solver.h"

namespace cleave::solve {

// An exact method as a solver: one iteration finds the answer. Uniform before it.
class OneShot final : public Solver {
 public:
  using Answer = tree::Strategy (*)(const Problem& problem);
  OneShot(const Problem& problem, Answer answer)
      : Solver(problem), answer_(answer), strategy_(tree::uniform_strategy(problem.tree)) {}

  void iterate() override {
    if (finished()) return;
    strategy_ = answer_(problem_);
    ++iterations_;
  }
  bool finished() const override { return iterations_ > 0; }
  tree::Strategy strategy() const override { return strategy_; }

  void save(tree::Archive& archive) const override {
    save_iterations(archive);
    archive.reals["strategy"] = strategy_;
  }
  void load(const tree::Archive& archive) override {
    strategy_ = archive.real("strategy", problem_.tree.num_slots());
    load_iterations(archive);
  }

 private:
  Answer answer_;
  tree::Strategy strategy_;
};

}  // namespace cleave::solve
