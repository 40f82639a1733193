#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "hands/vector_engine.h"
#include "solve/schedule.h"
#include "whole/abstract_strategy.h"
#include "whole/last_street.h"

namespace cleave::whole {

struct BlueprintOptions {
  std::string algorithm = "dcfr(gamma=3)";  // of the CFR family, not predictive
  // Boards of the last street are dealt in so many parts, one part in each iteration: less work for
  // an iteration, and all boards after so many.
  int batches = 1;
  int threads = 1;
};

// A strategy for a whole game that can be afforded: every hand of its own above the cut, buckets of
// hands below it. Both players learn in it, alternately.
class Blueprint {
 public:
  // The game and the buckets must outlive it.
  Blueprint(const Game& game, const poker::Buckets& buckets, const BlueprintOptions& options);

  void iterate();
  int64_t iterations() const { return iterations_; }

  // Averages from elsewhere instead: of a strategy with a bucket for every class of hands above the
  // cut, and these buckets below it. Throws InputError where it is of another shape.
  void take(const AbstractStrategy& strategy);

  // The averages so far take the place of what is learnt: call it once, after the last iteration,
  // before any of what follows.
  void finish();

  // Of the trunk's averages; rows of the trunk's boards, padded, [leaf].
  const std::vector<Floats>& leaf_reach(size_t player) const { return leaf_reach_[player]; }
  hands::VectorEngine& trunk() { return *trunk_; }
  std::mutex& trunk_mutex() { return trunk_mutex_; }  // whoever sets leaf values or looks holds it
  const LastStreet& last_street() const { return last_street_; }
  // Probabilities on the last street.
  const BucketRows& strategy(size_t player) const { return strategy_[player]; }

  // Values of the player's rows at the trunk's leaves: against the other's strategy by a best
  // response in the game itself, where the player tells all hands apart; or by its own strategy.
  std::vector<Floats> leaf_values(size_t player, bool best_response);
  // What the player gets in chips by a best response above the cut, given values at the leaves.
  double best_response(size_t player, const std::vector<Floats>& leaf_values);
  double best_response(size_t player) { return best_response(player, leaf_values(player, true)); }
  double value();  // to player one when both follow it, in chips

  size_t learning_bytes() const;
  // All that later iterations and finish() depend on. `key` names game, buckets and algorithm;
  // load() returns false where there is no file of that key.
  void save(const std::string& path, const std::string& key);
  bool load(const std::string& path, const std::string& key);

 private:
  void send_trunk(size_t player, double decay);
  void give_leaf_values(size_t player, const std::vector<Floats>& leaf_values);
  void learn(size_t player, const solve::Iteration& now);
  void update_average(size_t player, double decay);
  void update_regrets(size_t player, const kernels::RegretUpdate& update);
  void match(size_t player, const BucketRows& weights);
  std::vector<tree::BulkArray> arrays();

  const Game& game_;
  LastStreet last_street_;
  solve::Schedule schedule_;
  std::unique_ptr<hands::VectorEngine> trunk_;
  std::vector<double> ones_;
  std::array<std::vector<Floats>, 2> leaf_reach_;  // [player][leaf]
  std::vector<Floats> values_;                     // [leaf]
  std::array<BucketRows, 2> strategy_, regret_, average_;
  std::vector<float> action_values_, visits_;
  const int batches_, threads_;
  std::mutex trunk_mutex_;
  int64_t iterations_ = 0;
};

}  // namespace cleave::whole
