#include "decompose/leaves/checking_leaves.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace cleave::decompose {

void CheckingLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  other_.assign(leaves.begin(), leaves.end());
  first_->evaluate(leaves, wanted);
  second_->evaluate(other_, wanted);
  for (size_t i = 0; i < leaves.size(); ++i) {
    for (size_t p = 0; p < 2; ++p) {
      if (!has(wanted, p)) continue;
      const std::vector<double>&one = leaves[i].values[p], &two = other_[i].values[p];
      if (one.size() != two.size()) {
        throw core::InputError(
            fmt::format("the two evaluators of leaf {} gave {} and {} values for player {}; they "
                        "must be as many",
                        i + 1, one.size(), two.size(), p + 1));
      }
      for (size_t s = 0; s < one.size(); ++s) {
        const double size = std::abs(one[s] - two[s]);
        // One that is not a number is the largest: the one to hear of.
        if (size <= largest_.size || std::isnan(largest_.size)) continue;
        largest_ = {size, i, p, s, one[s], two[s]};
      }
    }
  }
}

void CheckingLeaves::reset() {
  first_->reset();
  second_->reset();
  largest_ = {};
}

std::string CheckingLeaves::report() const {
  return fmt::format(
      "the two evaluators differ by at most {:.6g}: {:.6g} and {:.6g} at leaf {}, player {}, "
      "private "
      "state {}",
      largest_.size, largest_.first, largest_.second, largest_.leaf + 1, largest_.player + 1,
      largest_.state + 1);
}

size_t CheckingLeaves::peak_learning_bytes() const {
  return first_->peak_learning_bytes() + second_->peak_learning_bytes();
}

}  // namespace cleave::decompose
