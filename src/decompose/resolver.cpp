#include "decompose/resolver.h"

namespace cleave::decompose {

Resolver::Resolver(Engine& engine, Gadget& gadget, int hero, std::vector<double> hero_reach,
                   solve::Schedule schedule, LeafEvaluator* leaves, solve::Updates updates)
    : engine_(engine),
      gadget_(gadget),
      hero_(static_cast<size_t>(hero)),
      schedule_(std::move(schedule)),
      leaves_(leaves),
      updates_(leaves ? solve::Updates::kSimultaneous : updates) {
  for (int p = 0; p < 2; ++p) values_[static_cast<size_t>(p)].resize(engine.num_states(p));
  reach_[hero_] = std::move(hero_reach);
  reach_[1 - hero_].resize(engine.num_states(1 - hero));
}

void Resolver::iterate() {
  const solve::Iteration now = schedule_(++iterations_);
  if (updates_ == solve::Updates::kSimultaneous) {
    for (size_t p = 0; p < 2; ++p) send_reach(p, now.average_decay);
    if (leaves_) evaluate_leaves(engine_, *leaves_, leaf_reach_, leaf_values_);
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
  engine_.descend(static_cast<int>(player), reach_[player], decay);
}

void Resolver::learn(size_t player, const kernels::RegretUpdate& update) {
  engine_.learn(static_cast<int>(player), update, values_[player]);
  if (player != hero_) gadget_.learn(update, values_[player]);
}

void iterate_fixed(Engine& engine, const Vectors& root_reach, const solve::Iteration& now) {
  thread_local std::vector<double> values;
  for (int p = 0; p < 2; ++p) {
    engine.descend(1 - p, root_reach[static_cast<size_t>(1 - p)], now.average_decay);
    values.resize(engine.num_states(p));
    engine.learn(p, now.regret, values);
  }
}

}  // namespace cleave::decompose
