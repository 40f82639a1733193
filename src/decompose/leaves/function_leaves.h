#pragma once

#include <functional>

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// v(private states | both reach vectors): both players' counterfactual values at a leaf, into
// vectors that already have the right sizes. A network, a table, any rule.
using ValueFunction = std::function<void(size_t leaf, const Vectors& reach, Vectors& values)>;

// A value function from outside (DeepStack's leaves). What it answers is checked by
// evaluate_leaves().
class FunctionLeaves final : public LeafEvaluator {
 public:
  explicit FunctionLeaves(ValueFunction function) : function_(std::move(function)) {}

  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override;

 private:
  ValueFunction function_;
};

}  // namespace cleave::decompose
