#pragma once

#include <functional>

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Answers with another evaluator's values and keeps averages of them and of the reach, with the
// weights of the average strategy: the values that belong to the average strategies above (Burch et
// al. 2014: what CFR-D keeps for re-solving). Both players' values must be asked for at once.
class AveragedLeaves final : public LeafEvaluator {
 public:
  // `decay(t)`: of the average strategy at iteration t. `inner` must outlive it.
  AveragedLeaves(LeafEvaluator& inner, std::function<double(int64_t t)> decay)
      : inner_(inner), decay_(std::move(decay)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override;

  std::vector<Vectors> reach() const { return averages(reach_); }    // [leaf]
  std::vector<Vectors> values() const { return averages(values_); }  // [leaf]

 private:
  std::vector<Vectors> averages(const std::vector<Vectors>& sums) const;

  LeafEvaluator& inner_;
  std::function<double(int64_t t)> decay_;
  int64_t iterations_ = 0;
  double weight_ = 0;
  std::vector<Vectors> reach_, values_;  // [leaf], times weight_
};

}  // namespace cleave::decompose
