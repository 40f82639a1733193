#pragma once

#include "decompose/engine.h"

namespace cleave::decompose {

// What stands below a cut. Given both players' reach at a leaf, both players' counterfactual
// values there. May keep state between calls (a warm solver, the opponent's regrets over
// continuations); calls come in a fixed order.
class LeafEvaluator {
 public:
  virtual ~LeafEvaluator() = default;
  virtual void evaluate(size_t leaf, const Vectors& reach, Vectors& values) = 0;
  virtual void reset() {}  // a new run begins
  // The largest number of bytes of regrets and strategies it held at any one time.
  virtual size_t peak_learning_bytes() const { return 0; }
};

// Sends the reach of both players at each leaf of `engine` through `evaluator` and hands the
// values back to it. Throws InputError where an evaluator answers with another size or with
// numbers that are not finite. `values`: [leaf], what it answered.
void evaluate_leaves(Engine& engine, LeafEvaluator& evaluator, std::vector<Vectors>& reach,
                     std::vector<Vectors>& values);

}  // namespace cleave::decompose
