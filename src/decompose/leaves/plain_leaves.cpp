#include "decompose/leaves/plain_leaves.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace cleave::decompose {
namespace {

void add_decayed(double decay, const Vectors& newest, Vectors& sum) {
  for (size_t p = 0; p < 2; ++p) {
    sum[p].resize(newest[p].size(), 0.0);
    for (size_t s = 0; s < newest[p].size(); ++s) sum[p][s] = sum[p][s] * decay + newest[p][s];
  }
}

size_t bytes_of(const std::vector<Vectors>& leaves) {
  size_t bytes = 0;
  for (const Vectors& leaf : leaves) bytes += (leaf[0].size() + leaf[1].size()) * sizeof(double);
  return bytes;
}

}  // namespace

void PayoffLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i == engines_.size()) {
      engines_.push_back(engine_to_the_end(*leaves[i].piece));
      profile_->give(*leaves[i].piece, *engines_[i]);
    }
    for (size_t p = 0; p < 2; ++p) {
      if (!has(wanted, p)) continue;
      engines_[i]->values(p, Follow::kAverage, leaves[i].reach[1 - p], leaves[i].values[p]);
    }
  }
}

size_t PayoffLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (const auto& engine : engines_) bytes += engine->learning_bytes();
  return bytes;
}

void StoredLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i == values_.size()) values_.push_back(&kept_.of(*leaves[i].piece).value);
    leaves[i].values = *values_[i];
  }
}

void ZeroLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (LeafState& leaf : leaves) {
    for (auto& values : leaf.values) std::ranges::fill(values, 0.0);
  }
}

void CheckingLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  other_.assign(leaves.begin(), leaves.end());
  first_->evaluate(leaves, wanted);
  second_->evaluate(other_, wanted);
  for (size_t i = 0; i < leaves.size(); ++i) {
    for (size_t p = 0; p < 2; ++p) {
      if (!has(wanted, p)) continue;
      const std::vector<double>&one = leaves[i].values[p], &two = other_[i].values[p];
      if (one.size() != two.size()) {
        core::reject(
            "the two evaluators of leaf {} gave {} and {} values for player {}; they "
            "must be as many",
            i + 1, one.size(), two.size(), p + 1);
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
      "private state {}",
      largest_.size, largest_.first, largest_.second, largest_.leaf + 1, largest_.player + 1,
      largest_.state + 1);
}

size_t CheckingLeaves::peak_learning_bytes() const {
  return first_->peak_learning_bytes() + second_->peak_learning_bytes();
}

// A state's reach under the average strategy is the average of its reaches, both with the same
// weights: strategies are averaged as plans.
void AveragedLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  inner_.evaluate(leaves, wanted);
  const double decay = decay_(++iterations_);
  weight_ = weight_ * decay + 1;
  reach_.resize(leaves.size());
  values_.resize(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    add_decayed(decay, leaves[i].reach, reach_[i]);
    add_decayed(decay, leaves[i].values, values_[i]);
  }
}

void AveragedLeaves::reset() {
  inner_.reset();
  reach_.clear();
  values_.clear();
  iterations_ = 0;
  weight_ = 0;
}

std::vector<Vectors> AveragedLeaves::averages(const std::vector<Vectors>& sums) const {
  std::vector<Vectors> out = sums;
  for (Vectors& leaf : out) {
    for (auto& own : leaf) {
      for (double& x : own) x *= 1 / weight_;
    }
  }
  return out;
}

size_t AveragedLeaves::peak_learning_bytes() const {
  // Beside the averages, the reach and the values of the newest iteration.
  return inner_.peak_learning_bytes() + 2 * (bytes_of(reach_) + bytes_of(values_));
}

}  // namespace cleave::decompose
