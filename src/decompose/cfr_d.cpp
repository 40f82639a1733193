#include "decompose/cfr_d.h"

namespace cleave::decompose {
namespace {

size_t bytes_of(const std::vector<Vectors>& leaves) {
  size_t bytes = 0;
  for (const Vectors& leaf : leaves) bytes += (leaf[0].size() + leaf[1].size()) * sizeof(double);
  return bytes;
}

void add(double decay, const Vectors& newest, Vectors& average) {
  for (size_t p = 0; p < 2; ++p) {
    average[p].resize(newest[p].size(), 0.0);
    for (size_t s = 0; s < newest[p].size(); ++s) {
      average[p][s] = average[p][s] * decay + newest[p][s];
    }
  }
}

Vectors scaled(Vectors vectors, double factor) {
  for (auto& own : vectors) {
    for (double& x : own) x *= factor;
  }
  return vectors;
}

}  // namespace

CfrD::CfrD(Engine& trunk, LeafEvaluator& leaves, solve::Schedule schedule)
    : trunk_(trunk), leaves_(leaves), schedule_(std::move(schedule)) {
  for (int p = 0; p < 2; ++p) {
    root_reach_[static_cast<size_t>(p)].assign(trunk.num_states(p), 1.0);
    root_values_[static_cast<size_t>(p)].resize(trunk.num_states(p));
  }
  average_reach_.resize(trunk.num_leaves());
  average_value_.resize(trunk.num_leaves());
}

void CfrD::iterate() {
  const solve::Iteration now = schedule_(++iterations_);
  for (int p = 0; p < 2; ++p) {
    trunk_.descend(p, root_reach_[static_cast<size_t>(p)], now.average_decay);
  }
  evaluate_leaves(trunk_, leaves_, reach_, values_);
  for (int p = 0; p < 2; ++p) {
    trunk_.learn(p, now.regret, root_values_[static_cast<size_t>(p)]);
  }
  add_to_averages(now.average_decay);
}

// A state's reach under the average strategy is the average of its reaches, both with the same
// weights: strategies are averaged as plans.
void CfrD::add_to_averages(double decay) {
  weight_ = weight_ * decay + 1;
  double value = 0;
  for (const double v : root_values_[0]) value += v;
  value_ = value_ * decay + value;
  for (size_t leaf = 0; leaf < average_reach_.size(); ++leaf) {
    add(decay, reach_[leaf], average_reach_[leaf]);
    add(decay, values_[leaf], average_value_[leaf]);
  }
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
  std::vector<Summary> summaries(average_reach_.size());
  for (size_t leaf = 0; leaf < summaries.size(); ++leaf) {
    summaries[leaf].reach = scaled(average_reach_[leaf], 1 / weight_);
    summaries[leaf].value = scaled(average_value_[leaf], 1 / weight_);
    summaries[leaf].best_response = summaries[leaf].value;
  }
  return summaries;
}

size_t CfrD::peak_learning_bytes() const {
  return trunk_.learning_bytes() + leaves_.peak_learning_bytes() + bytes_of(reach_) +
         bytes_of(values_) + bytes_of(average_reach_) + bytes_of(average_value_);
}

size_t whole_game_learning_bytes(const solve::Problem& game) {
  constexpr size_t kArrays = 4;  // of a solve::Learner: regrets, strategy, average, reach
  size_t sequences = 0;
  for (const tree::Treeplex& plex : game.form.player) sequences += plex.num_sequences;
  return kArrays * sequences * sizeof(double);
}

}  // namespace cleave::decompose
