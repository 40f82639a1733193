#pragma once

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Runs two evaluators side by side, answers with the first's values and remembers where the two
// differed most.
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

  CheckingLeaves(std::unique_ptr<LeafEvaluator> first, std::unique_ptr<LeafEvaluator> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override;
  std::string report() const override;
  const Difference& largest() const { return largest_; }

 private:
  std::unique_ptr<LeafEvaluator> first_, second_;
  std::vector<LeafState> other_;  // scratch
  Difference largest_;
};

}  // namespace cleave::decompose
