#include "decompose/cfr_d.h"

#include <numeric>

namespace cleave::decompose {

CfrD::CfrD(const Piece& trunk, Engine& engine, const Vectors& root_reach, LeafEvaluator& evaluator,
           solve::Schedule schedule, solve::Updates updates)
    : engine_(engine),
      root_reach_(root_reach),
      evaluator_(evaluator),
      schedule_(std::move(schedule)),
      updates_(updates),
      leaves_(trunk, engine),
      averaged_(evaluator, [this](int64_t t) { return schedule_(t).average_decay; }) {
  for (size_t p = 0; p < 2; ++p) root_values_[p].resize(engine.num_states(p));
}

void CfrD::iterate() {
  const solve::Iteration now = schedule_(++iterations_);
  if (updates_ == solve::Updates::kSimultaneous) {
    for (size_t p = 0; p < 2; ++p) engine_.descend(p, root_reach_[p], now.average_decay);
    leaves_.evaluate(engine_, averaged_, Players::kBoth);
    for (size_t p = 0; p < 2; ++p) engine_.learn(p, now.regret, root_values_[p]);
  } else {
    for (size_t p = 0; p < 2; ++p) {
      engine_.descend(1 - p, root_reach_[1 - p], now.average_decay);
      leaves_.evaluate(engine_, evaluator_, only(p));
      engine_.learn(p, now.regret, root_values_[p]);
    }
  }
  weight_ = weight_ * now.average_decay + 1;
  value_ =
      value_ * now.average_decay + std::inner_product(root_reach_[0].begin(), root_reach_[0].end(),
                                                      root_values_[0].begin(), 0.0);
}

bool CfrD::run(int64_t iterations, const std::atomic<bool>* stop,
               const std::function<void(int64_t)>& progress) {
  while (iterations_ < iterations) {
    if (stop && *stop) return false;
    iterate();
    if (progress) progress(iterations_);
  }
  return true;
}

std::vector<Summary> CfrD::summaries() const {
  const std::vector<Vectors> reach = averaged_.reach(), values = averaged_.values();
  std::vector<Summary> summaries;
  for (size_t i = 0; i < reach.size(); ++i) summaries.push_back({reach[i], values[i], values[i]});
  return summaries;
}

size_t CfrD::peak_learning_bytes() const {
  return engine_.learning_bytes() + averaged_.peak_learning_bytes();
}

}  // namespace cleave::decompose
