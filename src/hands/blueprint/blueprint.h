#pragma once

#include <memory>
#include <string>

#include "decompose/cfr_d.h"
#include "decompose/leaf_evaluator.h"
#include "hands/blueprint/last_street.h"
#include "hands/piece.h"
#include "hands/profile.h"
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

struct BlueprintOptions {
  std::string algorithm = "dcfr(gamma=3)";  // of the CFR family, not predictive
  // Boards of the last street are dealt in so many parts, one part in each iteration: less work for
  // an iteration, and all boards after so many.
  int batches = 1;
  int threads = 1;
};

// A strategy for a whole game that can be afforded: every hand of its own above the last street,
// buckets of hands on it. CFR-D with warm leaves that learn by buckets, players alternating.
class Blueprint final : public decompose::Profile {
 public:
  // The buckets must outlive it. Throws InputError.
  Blueprint(std::shared_ptr<const Problem> problem, const poker::Buckets& buckets,
            const BlueprintOptions& options);

  void iterate() { cfr_d_.iterate(); }
  int64_t iterations() const { return cfr_d_.iterations(); }

  // The averages so far take the place of what is learnt: call it once, after the last iteration,
  // before it is used as a profile.
  void finish();
  void give(const decompose::Piece& piece, decompose::Engine& engine) const override;
  // By sweeps over all boards of the last street at once, where the piece ends before it.
  std::vector<decompose::Vectors> values_below(const decompose::Piece& piece,
                                               const std::vector<decompose::Vectors>& reach,
                                               decompose::Follow how, int threads) const override;

  // What a best response of the player gets in chips; the value to player one when both follow it.
  double best_response(size_t player) const;
  double value() const;

  const WholeGame& game() const { return game_; }
  const HandsPiece& trunk() const { return trunk_; }
  const BucketLeaves& leaves() const { return leaves_; }
  size_t learning_bytes() const {
    return engine_->learning_bytes() + leaves_.peak_learning_bytes();
  }
  // All that later iterations and finish() depend on. `key` names game, buckets and algorithm;
  // load() returns false where there is no file of that key.
  void save(const std::string& path, const std::string& key);
  bool load(const std::string& path, const std::string& key);

 private:
  std::vector<double> bucket_strategy(uint32_t betting_node, poker::CardSet board,
                                      const std::vector<poker::CardSet>& hands) const;
  std::vector<tree::BulkArray> arrays();

  std::shared_ptr<const Problem> problem_;
  WholeGame game_;
  HandsPiece trunk_;
  std::shared_ptr<VectorEngine> engine_;  // of the trunk
  BucketLeaves leaves_;
  decompose::CfrD cfr_d_;
  std::unique_ptr<EngineProfile> above_;  // once finished
  std::map<poker::CardSet, uint32_t> board_, hand_;
  std::vector<std::pair<uint32_t, size_t>>
      place_;  // [betting node]: node of the last street, chunk
};

}  // namespace cleave::hands
