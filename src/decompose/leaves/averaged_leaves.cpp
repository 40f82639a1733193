#include "decompose/leaves/averaged_leaves.h"

namespace cleave::decompose {
namespace {

void add(double decay, const Vectors& newest, Vectors& sum) {
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

// A state's reach under the average strategy is the average of its reaches, both with the same
// weights: strategies are averaged as plans.
void AveragedLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  inner_.evaluate(leaves, wanted);
  const double decay = decay_(++iterations_);
  weight_ = weight_ * decay + 1;
  reach_.resize(leaves.size());
  values_.resize(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    add(decay, leaves[i].reach, reach_[i]);
    add(decay, leaves[i].values, values_[i]);
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
