#include "decompose/leaves/continuation_leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace cleave::decompose {

ContinuationLeaves::ContinuationLeaves(int hero,
                                       std::vector<std::vector<std::unique_ptr<Engine>>> engines)
    : hero_(static_cast<size_t>(hero)), engines_(std::move(engines)) {
  for (size_t leaf = 0; leaf < engines_.size(); ++leaf) {
    if (!engines_[leaf].empty()) continue;
    throw core::InputError(
        fmt::format("leaf {} has no continuation strategy; at least one is needed", leaf + 1));
  }
  reset();
}

void ContinuationLeaves::reset() {
  choices_.clear();
  for (const auto& continuations : engines_) {
    const size_t states = continuations.front()->num_states(1 - static_cast<int>(hero_));
    choices_.emplace_back(continuations.size(), states);
  }
}

void ContinuationLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  const size_t opponent = 1 - hero_;
  Choices& choices = choices_[leaf];
  entry_ = reach;
  answer_ = values;
  std::ranges::fill(values[hero_], 0.0);
  for (size_t k = 0; k < engines_[leaf].size(); ++k) {
    for (size_t s = 0; s < reach[opponent].size(); ++s) {
      entry_[opponent][s] = reach[opponent][s] * choices.probability(k, s);
    }
    engines_[leaf][k]->evaluate(entry_, answer_);
    // The opponent's own reach does not enter its counterfactual values; the hero's are sums.
    for (size_t s = 0; s < answer_[opponent].size(); ++s) choices.q(k, s) = answer_[opponent][s];
    for (size_t s = 0; s < values[hero_].size(); ++s) values[hero_][s] += answer_[hero_][s];
  }
  choices.learn({.floor = true});
  for (size_t s = 0; s < values[opponent].size(); ++s) values[opponent][s] = choices.value(s);
}

size_t ContinuationLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (size_t leaf = 0; leaf < engines_.size(); ++leaf) {
    for (const auto& engine : engines_[leaf]) bytes += engine->learning_bytes();
    bytes += choices_[leaf].bytes();
  }
  return bytes;
}

double ContinuationLeaves::choice(size_t leaf, size_t state, size_t continuation) const {
  return choices_[leaf].probability(continuation, state);
}

}  // namespace cleave::decompose
