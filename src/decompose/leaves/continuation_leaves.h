#pragma once

#include "decompose/choices.h"
#include "decompose/leaf_evaluator.h"
#include "decompose/profile.h"

namespace cleave::decompose {

// Depth-limited solving (Brown, Sandholm and Amos 2018): below a leaf the hero goes on by its
// blueprint and the opponent chooses, at every private state of its own, among several
// continuation strategies; one regret minimiser (regret matching plus) per state. Against a choice
// of one, the blueprint's own, a leaf's values would be those of a fixed opponent, which the hero
// could exploit in thought only.
class ContinuationLeaves final : public LeafEvaluator {
 public:
  // Of the continuations only the opponent's part is followed. Throws InputError where there are
  // none.
  ContinuationLeaves(size_t hero, std::shared_ptr<const Profile> blueprint,
                     std::vector<std::shared_ptr<const Profile>> continuations);

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override { choices_.clear(); }
  size_t peak_learning_bytes() const override;

  // How likely the opponent's next choice at a private state is this continuation.
  double choice(size_t leaf, size_t state, size_t continuation) const;

 private:
  void add_engines(const Piece& piece);
  void evaluate(size_t number, LeafState& leaf);

  size_t hero_;
  std::shared_ptr<const Profile> blueprint_;
  std::vector<std::shared_ptr<const Profile>> continuations_;
  std::vector<std::vector<std::unique_ptr<Engine>>> engines_;  // [leaf][continuation]
  std::vector<Choices> choices_;  // [leaf]: an action per continuation, a member per state
  Vectors entry_, answer_;        // scratch
};

// The blueprint, and the same with every choice bent towards the first, the second or the last
// action (in poker: folding, calling, raising), whose probability is multiplied by `factor`.
std::vector<std::shared_ptr<const Profile>> bent_profiles(
    const std::shared_ptr<const Profile>& blueprint, double factor);

}  // namespace cleave::decompose
