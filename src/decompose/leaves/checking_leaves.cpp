#include "decompose/leaves/checking_leaves.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace cleave::decompose {

void CheckingLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  other_ = values;
  first_.evaluate(leaf, reach, values);
  second_.evaluate(leaf, reach, other_);
  for (size_t p = 0; p < 2; ++p) {
    if (values[p].size() != other_[p].size()) {
      throw core::InputError(fmt::format(
          "the two evaluators of leaf {} gave {} and {} values for player {}; they must be as many",
          leaf + 1, values[p].size(), other_[p].size(), p + 1));
    }
    for (size_t s = 0; s < values[p].size(); ++s) {
      const double size = std::abs(values[p][s] - other_[p][s]);
      // One that is not a number is the largest: the one to hear of.
      if (size <= largest_.size || std::isnan(largest_.size)) continue;
      largest_ = {size, leaf, p, s, values[p][s], other_[p][s]};
    }
  }
}

void CheckingLeaves::reset() {
  first_.reset();
  second_.reset();
  largest_ = {};
}

size_t CheckingLeaves::peak_learning_bytes() const {
  return first_.peak_learning_bytes() + second_.peak_learning_bytes();
}

}  // namespace cleave::decompose
