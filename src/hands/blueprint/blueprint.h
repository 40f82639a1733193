#pragma once

#include <memory>
#include <string>

#include "decompose/cfr_d.h"
#include "hands/blueprint/bucket_leaves.h"
#include "hands/piece.h"
#include "hands/profile.h"

namespace cleave::hands {

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
