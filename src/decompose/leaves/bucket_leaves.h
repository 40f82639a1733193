#pragma once

#include <map>

#include "decompose/choices.h"
#include "decompose/leaf_evaluator.h"
#include "solve/schedule.h"

namespace cleave::decompose {

struct BucketLeavesOptions {
  solve::Schedule schedule;
  // Of equal width, between the least and the most that any action at the public state is worth.
  int64_t classes = 20;
  int threads = 1;  // leaves side by side; the same result
};

// The subgames learnt by buckets, with the trunk: one iteration of CFR for each of the trunk's,
// answered with the values of the strategies in it. A bucket is all private states of a public
// state whose actions are worth the same, by classes, where everybody plays every action alike:
// they share regrets and strategy. Only buckets are kept; engines live as long as their leaf is
// looked at.
class BucketLeaves final : public LeafEvaluator {
 public:
  explicit BucketLeaves(BucketLeavesOptions options) : options_(std::move(options)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override { return peak_bytes_; }
  size_t num_buckets() const;

 private:
  struct Learnt {
    std::vector<std::vector<uint32_t>> bucket;             // [decision][state]
    std::map<std::pair<size_t, size_t>, Choices> choices;  // [player, actions]: a member per bucket
    size_t num_buckets = 0, bytes = 0;
  };

  Learnt find_buckets(const Piece& piece, Engine& engine) const;
  void learn(Learnt& learnt, LeafState& leaf, Players wanted) const;

  BucketLeavesOptions options_;
  std::vector<Learnt> leaves_;
  std::array<int64_t, 2> iterations_ = {};  // [player]
  size_t peak_bytes_ = 0;
};

}  // namespace cleave::decompose
