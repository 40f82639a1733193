#pragma once

#include "decompose/leaf_evaluator.h"
#include "decompose/profile.h"

namespace cleave::decompose {

// Subgames in which nobody decides any more, or in which both players follow a profile: values are
// linear in the other's reach. Terminal payoffs are the case without decisions.
class PayoffLeaves final : public LeafEvaluator {
 public:
  explicit PayoffLeaves(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  size_t peak_learning_bytes() const override;

 private:
  std::shared_ptr<const Profile> profile_;
  std::vector<std::unique_ptr<Engine>> engines_;  // [leaf]
};

}  // namespace cleave::decompose
