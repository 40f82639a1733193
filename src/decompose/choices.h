#pragma once

#include <algorithm>

#include "core/aligned.h"
#include "kernels/kernels.h"

namespace cleave::decompose {

// Regret minimisers side by side, one per member, all with the same number of actions: what gadgets
// and evaluators learn with. The same kernel as inside the game.
class Choices {
 public:
  Choices(size_t num_actions, size_t members)
      : num_actions_(num_actions),
        width_((members + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes),
        q_(num_actions * width_, 0.0),
        regret_(num_actions * width_, 0.0),
        strategy_(num_actions * width_, 1.0 / static_cast<double>(num_actions)),
        value_(width_, 0.0) {}

  double& q(size_t action, size_t member) { return q_[action * width_ + member]; }
  void clear_q() { std::ranges::fill(q_, 0.0); }
  double probability(size_t action, size_t member) const {
    return strategy_[action * width_ + member];
  }
  double value(size_t member) const { return value_[member]; }  // of the newest q
  size_t bytes() const { return 2 * regret_.size() * sizeof(double); }
  void learn(const kernels::RegretUpdate& update) {
    kernels::update_group(update, num_actions_, width_, q_.data(), regret_.data(), strategy_.data(),
                          value_.data());
  }

 private:
  size_t num_actions_, width_;
  core::Reals q_, regret_, strategy_, value_;
};

}  // namespace cleave::decompose
