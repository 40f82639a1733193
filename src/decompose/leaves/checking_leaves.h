#pragma once

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Runs two evaluators side by side, answers with the first's values and remembers where the two
// differed most. Both must outlive it.
class CheckingLeaves final : public LeafEvaluator {
 public:
  struct Difference {
    double size = 0;
    size_t leaf = 0;
    size_t player = 0;
    size_t state = 0;
    double first = 0;
    double second = 0;
  };

  CheckingLeaves(LeafEvaluator& first, LeafEvaluator& second) : first_(first), second_(second) {}

  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override;
  void reset() override;
  size_t peak_learning_bytes() const override;
  const Difference& largest() const { return largest_; }

 private:
  LeafEvaluator& first_;
  LeafEvaluator& second_;
  Vectors other_;  // scratch
  Difference largest_;
};

}  // namespace cleave::decompose
