#pragma once

#include <memory>

#include "decompose/choices.h"
#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Depth-limited solving (Brown, Sandholm and Amos 2018): below a leaf the hero goes on by its
// blueprint and the opponent chooses, at every private state of its own, among several
// continuation strategies; one regret minimiser (regret matching plus) per state. Against a choice
// of one, the blueprint's own, a leaf's values would be those of a fixed opponent, which the hero
// could exploit in thought only.
class ContinuationLeaves final : public LeafEvaluator {
 public:
  // engines[leaf][continuation]: the hero's blueprint and one continuation of the opponent stand in
  // its averages. Throws InputError where a leaf has none.
  ContinuationLeaves(int hero, std::vector<std::vector<std::unique_ptr<Engine>>> engines);

  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override;
  void reset() override;
  size_t peak_learning_bytes() const override;

  // How likely the opponent's next choice at a private state is this continuation.
  double choice(size_t leaf, size_t state, size_t continuation) const;

 private:
  size_t hero_;
  std::vector<std::vector<std::unique_ptr<Engine>>> engines_;
  std::vector<Choices> choices_;  // [leaf]: an action per continuation, a member per state
  Vectors entry_, answer_;        // scratch
};

}  // namespace cleave::decompose
