#pragma once

#include "decompose/leaf_evaluator.h"

// A leaf evaluator of one's own: the mean of what two others say.
class EnsembleLeaves final : public cleave::decompose::LeafEvaluator {
 public:
  EnsembleLeaves(cleave::decompose::LeafEvaluator& one, cleave::decompose::LeafEvaluator& two)
      : one_(one), two_(two) {}
  void evaluate(std::span<cleave::decompose::LeafState> leaves,
                cleave::decompose::Players wanted) override;

 private:
  cleave::decompose::LeafEvaluator& one_;
  cleave::decompose::LeafEvaluator& two_;
  std::vector<cleave::decompose::LeafState> others_;
};
