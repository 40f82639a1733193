#pragma once

#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// Fixed values, whatever the reach: the trunk's own values off the path (Jackson's recovery game in
// information-set form), or a table of any other origin.
class StoredLeaves final : public LeafEvaluator {
 public:
  explicit StoredLeaves(std::vector<Vectors> values) : values_(std::move(values)) {}  // [leaf]

  void evaluate(std::span<LeafState> leaves, Players wanted) override;

 private:
  std::vector<Vectors> values_;
};

// Everything is worth nothing: what searching without knowledge comes to.
class ZeroLeaves final : public LeafEvaluator {
 public:
  void evaluate(std::span<LeafState> leaves, Players wanted) override;
};

}  // namespace cleave::decompose
