#pragma once

#include "decompose/leaf_evaluator.h"
#include "decompose/summary.h"

namespace cleave::decompose {

// Values that were kept of the pieces, whatever the reach: those of an earlier CFR-D, of a profile,
// or a table of any other origin.
class StoredLeaves final : public LeafEvaluator {
 public:
  explicit StoredLeaves(KeptSummaries kept) : kept_(std::move(kept)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;

 private:
  KeptSummaries kept_;
  std::vector<const Vectors*> values_;  // [leaf]
};

// Everything is worth nothing: what searching without knowledge comes to.
class ZeroLeaves final : public LeafEvaluator {
 public:
  void evaluate(std::span<LeafState> leaves, Players wanted) override;
};

}  // namespace cleave::decompose
