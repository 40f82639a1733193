#pragma once

#include "decompose/engine.h"
#include "decompose/gadget.h"
#include "decompose/leaf_evaluator.h"
#include "solve/schedule.h"

namespace cleave::decompose {

// Counterfactual regret minimisation of one stretch of game below a root gadget: the one loop
// behind re-solving and depth-limited search. Alternating updates, player one first; with leaves to
// evaluate both players learn at once, so that each leaf is evaluated once per iteration.
class Resolver {
 public:
  // `leaves` may be null where the engine has none; where it is not, updates are simultaneous.
  Resolver(Engine& engine, Gadget& gadget, int hero, std::vector<double> hero_reach,
           solve::Schedule schedule, LeafEvaluator* leaves = nullptr,
           solve::Updates updates = solve::Updates::kAlternating);

  void iterate();
  int64_t iterations() const { return iterations_; }
  // The opponent's counterfactual values of the newest iteration.
  const std::vector<double>& opponent_values() const { return values_[1 - hero_]; }

 private:
  void send_reach(size_t player, double decay);
  void learn(size_t player, const kernels::RegretUpdate& update);

  Engine& engine_;
  Gadget& gadget_;
  size_t hero_;
  solve::Schedule schedule_;
  LeafEvaluator* leaves_;
  solve::Updates updates_;
  Vectors reach_;
  Vectors values_;
  std::vector<Vectors> leaf_reach_, leaf_values_;
  int64_t iterations_ = 0;
};

// Solves an engine's game with both players' root reach fixed: how a leaf evaluator solves the
// subgame below it. One iteration per call, alternating updates.
void iterate_fixed(Engine& engine, const Vectors& root_reach, const solve::Iteration& now);

}  // namespace cleave::decompose
