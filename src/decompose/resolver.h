#pragma once

#include "decompose/gadget.h"
#include "decompose/leaf_evaluator.h"
#include "solve/schedule.h"

namespace cleave::decompose {

// Counterfactual regret minimisation of one stretch of game below a root gadget: the one loop
// behind re-solving and depth-limited search.
class Resolver {
 public:
  // To the end of the game. Updates alternate, player one first, unless said otherwise.
  Resolver(Engine& engine, Gadget& gadget, size_t hero, std::vector<double> hero_reach,
           solve::Schedule schedule, solve::Updates updates = solve::Updates::kAlternating);
  // Down to leaves. Both players learn at once, so that each leaf is evaluated once per iteration.
  // The evaluator must outlive it.
  Resolver(Engine& engine, Gadget& gadget, size_t hero, std::vector<double> hero_reach,
           solve::Schedule schedule, const Piece& piece, LeafEvaluator& evaluator);

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
  Leaves leaves_;
  LeafEvaluator* evaluator_ = &no_leaves();
  solve::Updates updates_;
  Vectors reach_;
  Vectors values_;
  int64_t iterations_ = 0;
};

// Solves an engine's game with both players' root reach fixed: how a leaf evaluator solves the
// subgame below it. One iteration per call, alternating updates.
void iterate_fixed(Engine& engine, const Vectors& root_reach, const solve::Iteration& now);

}  // namespace cleave::decompose
