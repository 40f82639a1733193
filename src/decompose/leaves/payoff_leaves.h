#pragma once

#include <memory>

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Subgames in which nobody decides any more, or in which both players follow fixed strategies (the
// ones that stand in the engines' averages): values are linear in the other's reach. Terminal
// payoffs are the case without decisions.
class PayoffLeaves final : public LeafEvaluator {
 public:
  explicit PayoffLeaves(std::vector<std::unique_ptr<Engine>> engines);  // [leaf]

  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override;
  size_t peak_learning_bytes() const override;

 private:
  std::vector<std::unique_ptr<Engine>> engines_;
};

}  // namespace cleave::decompose
