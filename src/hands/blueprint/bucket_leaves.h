#pragma once

#include "decompose/leaf_evaluator.h"
#include "hands/blueprint/last_street.h"
#include "solve/schedule.h"
#include "tree/archive.h"

namespace cleave::hands {

// The last street under all its boards, learnt with the trunk: hands of a bucket play alike, so
// that memory does not grow with the boards. Warm leaves of CFR-D: one iteration for each of the
// trunk's, values of one player at a time.
class BucketLeaves final : public decompose::LeafEvaluator {
 public:
  // The game and the buckets must outlive it. Throws InputError for a schedule that predicts.
  BucketLeaves(const WholeGame& game, const poker::Buckets& buckets, solve::Schedule schedule,
               int batches, int threads);

  // Leaves are the game's lines before the last deal, each as one piece.
  void evaluate(std::span<decompose::LeafState> leaves, decompose::Players wanted) override;
  size_t peak_learning_bytes() const override;

  // The averages so far take the place of what is learnt.
  void finish();
  // Values of the player's rows at the trunk's leaves, [leaf], from the other's reach there: by a
  // best response in the game itself, where the player tells all hands apart, or by its own
  // strategy.
  std::vector<Floats> values(size_t player, const std::vector<Floats>& other_reach,
                             decompose::Follow how, size_t first_board = 0,
                             size_t num_boards = 0) const;  // 0: all boards of the trunk

  const LastStreet& last_street() const { return last_street_; }
  const BucketRows& strategy(size_t player) const { return strategy_[player]; }
  std::vector<tree::BulkArray> arrays();
  void set_iterations(int64_t iterations);  // arrays were loaded

 private:
  void learn(size_t player, const solve::Iteration& now, std::span<decompose::LeafState> leaves);
  void update_average(size_t player, double decay);
  void update_regrets(size_t player, const kernels::RegretUpdate& update);
  void match(size_t player, const BucketRows& weights);

  const WholeGame& game_;
  LastStreet last_street_;
  solve::Schedule schedule_;
  std::array<BucketRows, 2> strategy_, regret_, average_;
  std::vector<float> action_values_, visits_;
  std::vector<Floats> reach_, values_;  // [leaf]
  const int batches_, threads_;
  int64_t iterations_ = 0;
};

}  // namespace cleave::hands
