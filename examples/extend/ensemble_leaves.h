#pragma once

#include "decompose/leaf_evaluator.h"

// A leaf evaluator of one's own: the mean of what two others say.
class EnsembleLeaves final : public cleave::decompose::LeafEvaluator {
 public:
  EnsembleLeaves(cleave::decompose::LeafEvaluator& one, cleave::decompose::LeafEvaluator& two)
      : one_(one), two_(two) {}
  void evaluate(size_t leaf, const cleave::decompose::Vectors& reach,
                cleave::decompose::Vectors& values) override;

 private:
  cleave::decompose::LeafEvaluator& one_;
  cleave::decompose::LeafEvaluator& two_;
  cleave::decompose::Vectors other_;
};
