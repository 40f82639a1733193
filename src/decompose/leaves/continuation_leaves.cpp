#include "decompose/leaves/continuation_leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "kernels/kernels.h"

namespace cleave::decompose {

ContinuationLeaves::ContinuationLeaves(int hero,
                                       std::vector<std::vector<std::unique_ptr<Engine>>> engines)
    : hero_(static_cast<size_t>(hero)), engines_(std::move(engines)) {
  for (const auto& continuations : engines_) {
    if (continuations.empty()) {
      throw core::InputError(fmt::format(
          "leaf {} has no continuation strategy; at least one is needed", choices_.size() + 1));
    }
    const size_t states = continuations.front()->num_states(1 - hero);
    Choices& choices = choices_.emplace_back();
    choices.width = (states + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes;
    choices.value.resize(choices.width);
    choices.q.resize(choices.width * continuations.size(), 0.0);
  }
  reset();
}

void ContinuationLeaves::reset() {
  for (size_t leaf = 0; leaf < engines_.size(); ++leaf) {
    const size_t count = engines_[leaf].size();
    choices_[leaf].regret.assign(choices_[leaf].q.size(), 0.0);
    choices_[leaf].strategy.assign(choices_[leaf].q.size(), 1.0 / static_cast<double>(count));
  }
}

void ContinuationLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  const size_t opponent = 1 - hero_;
  const size_t count = engines_[leaf].size();
  Choices& choices = choices_[leaf];
  entry_ = reach;
  answer_ = values;
  std::ranges::fill(values[hero_], 0.0);
  for (size_t k = 0; k < count; ++k) {
    const size_t first = k * choices.width;
    for (size_t s = 0; s < reach[opponent].size(); ++s) {
      entry_[opponent][s] = reach[opponent][s] * choices.strategy[first + s];
    }
    engines_[leaf][k]->evaluate(entry_, answer_);
    // The opponent's own reach does not enter its counterfactual values; the hero's are sums.
    std::ranges::copy(answer_[opponent], choices.q.begin() + static_cast<std::ptrdiff_t>(first));
    for (size_t s = 0; s < values[hero_].size(); ++s) values[hero_][s] += answer_[hero_][s];
  }
  kernels::update_group({.floor = true}, count, choices.width, choices.q.data(),
                        choices.regret.data(), choices.strategy.data(), choices.value.data());
  std::copy_n(choices.value.begin(), values[opponent].size(), values[opponent].begin());
}

size_t ContinuationLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (size_t leaf = 0; leaf < engines_.size(); ++leaf) {
    for (const auto& engine : engines_[leaf]) bytes += engine->learning_bytes();
    bytes += 2 * choices_[leaf].regret.size() * sizeof(double);
  }
  return bytes;
}

double ContinuationLeaves::choice(size_t leaf, size_t state, size_t continuation) const {
  return choices_[leaf].strategy[continuation * choices_[leaf].width + state];
}

}  // namespace cleave::decompose
