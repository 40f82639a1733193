#include "decompose/resolver.h"

namespace cleave::decompose {

Resolver::Resolver(Engine& engine, Gadget& gadget, size_t hero, std::vector<double> hero_reach,
                   solve::Schedule schedule, solve::Updates updates)
    : engine_(engine),
      gadget_(gadget),
      hero_(hero),
      schedule_(std::move(schedule)),
      updates_(updates) {
  for (size_t p = 0; p < 2; ++p) values_[p].resize(engine.num_states(p));
  reach_[hero_] = std::move(hero_reach);
  reach_[1 - hero_].resize(engine.num_states(1 - hero));
}

Resolver::Resolver(Engine& engine, Gadget& gadget, size_t hero, std::vector<double> hero_reach,
                   solve::Schedule schedule, const Piece& piece, LeafEvaluator& evaluator)
    : Resolver(engine, gadget, hero, std::move(hero_reach), std::move(schedule),
               solve::Updates::kSimultaneous) {
  leaves_ = Leaves(piece, engine);
  evaluator_ = &evaluator;
}

void Resolver::iterate() {
  const solve::Iteration now = schedule_(++iterations_);
  if (updates_ == solve::Updates::kSimultaneous) {
    for (size_t p = 0; p < 2; ++p) send_reach(p, now.average_decay);
    leaves_.evaluate(engine_, *evaluator_, Players::kBoth);
    for (size_t p = 0; p < 2; ++p) learn(p, now.regret);
  } else {
    for (size_t p = 0; p < 2; ++p) {
      send_reach(1 - p, now.average_decay);
      learn(p, now.regret);
    }
  }
}

void Resolver::send_reach(size_t player, double decay) {
  if (player != hero_) gadget_.enter(reach_[player]);
  engine_.descend(player, reach_[player], decay);
}

void Resolver::learn(size_t player, const kernels::RegretUpdate& update) {
  engine_.learn(player, update, values_[player]);
  if (player != hero_) gadget_.learn(update, values_[player]);
}

void iterate_fixed(Engine& engine, const Vectors& root_reach, const solve::Iteration& now) {
  thread_local std::vector<double> values;
  for (size_t p = 0; p < 2; ++p) {
    engine.descend(1 - p, root_reach[1 - p], now.average_decay);
    values.resize(engine.num_states(p));
    engine.learn(p, now.regret, values);
  }
}

}  // namespace cleave::decompose
