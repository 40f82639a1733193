#pragma once

#include <atomic>
#include <functional>

#include "decompose/leaves/plain_leaves.h"
#include "decompose/summary.h"
#include "solve/schedule.h"

namespace cleave::decompose {

// CFR-D (Burch, Johanson and Bowling 2014): regret minimisation in the trunk, the subgames below it
// seen only through an evaluator of its leaves.
class CfrD {
 public:
  // Simultaneous: each leaf is evaluated once per iteration, for both players, and beside the trunk
  // each leaf's reach and values are averaged with the weights of the average strategy: what
  // re-solving needs to be consistent with the average trunk. Alternating: once for each player,
  // for evaluators that learn with the trunk; nothing is averaged. All must outlive it.
  CfrD(const Piece& trunk, Engine& engine, const Vectors& root_reach, LeafEvaluator& evaluator,
       solve::Schedule schedule, solve::Updates updates = solve::Updates::kSimultaneous);

  CfrD(const CfrD&) = delete;  // its averages look at its schedule
  CfrD& operator=(const CfrD&) = delete;

  void iterate();
  // Iterates until there were `iterations` in total or `stop` is set; `progress` gets the number
  // after each. Returns false when stopped.
  bool run(int64_t iterations, const std::atomic<bool>* stop = nullptr,
           const std::function<void(int64_t)>& progress = {});
  int64_t iterations() const { return iterations_; }
  void set_iterations(int64_t iterations) { iterations_ = iterations; }  // loaded from a file

  // The averages so far; needs at least one iteration. The value is player one's, without the
  // game's shift; within both players' average regrets of the game's.
  double value() const { return value_ / weight_; }
  const Leaves& leaves() const { return leaves_; }
  // [piece below]: the average trunk's reach and the averaged values. These stand for the
  // best-response values too: they are so up to the solving error, and nothing else was kept.
  std::vector<Summary> summaries() const;

  // Bytes of regrets, strategies and averages: the trunk's, the most that the evaluator ever held,
  // and what is kept per leaf.
  size_t peak_learning_bytes() const;

 private:
  Engine& engine_;
  Vectors root_reach_, root_values_;
  LeafEvaluator& evaluator_;
  solve::Schedule schedule_;
  solve::Updates updates_;
  Leaves leaves_;
  AveragedLeaves averaged_;
  double weight_ = 0;
  double value_ = 0;
  int64_t iterations_ = 0;
};

}  // namespace cleave::decompose
