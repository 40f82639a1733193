#pragma once

#include <functional>

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// v(private states | both reach vectors): counterfactual values at all leaves, into vectors that
// already have the right sizes. A network, a table, any rule.
using ValueFunction = std::function<void(std::span<LeafState> leaves, Players wanted)>;

// A value function from outside (DeepStack's leaves). What it answers is checked.
class FunctionLeaves final : public LeafEvaluator {
 public:
  explicit FunctionLeaves(ValueFunction function) : function_(std::move(function)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override { function_(leaves, wanted); }

 private:
  ValueFunction function_;
};

}  // namespace cleave::decompose
