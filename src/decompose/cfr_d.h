#pragma once

#include <atomic>
#include <functional>

#include "decompose/leaf_evaluator.h"
#include "decompose/summary.h"
#include "solve/schedule.h"

namespace cleave::decompose {

// CFR-D (Burch, Johanson and Bowling 2014): regret minimisation in the trunk, the subgames below it
// seen only through an evaluator of its leaves. Updates are simultaneous, so that each leaf is
// evaluated once per iteration. Beside the trunk it keeps each leaf's reach and values, averaged
// with the weights of the average strategy: what re-solving needs to be consistent with the average
// trunk. A trunk's engine gives its average strategy.
class CfrD {
 public:
  // Both must outlive it. The trunk begins at the game's root, where all reach is 1.
  CfrD(Engine& trunk, LeafEvaluator& leaves, solve::Schedule schedule);

  void iterate();
  // Iterates until there were `iterations` in total or `stop` is set; `progress` gets the number
  // after each. Returns false when stopped.
  bool run(int64_t iterations, const std::atomic<bool>* stop = nullptr,
           const std::function<void(int64_t)>& progress = {});
  int64_t iterations() const { return iterations_; }

  // The averages so far; needs at least one iteration. The value is player one's, without the
  // game's shift; within both players' average regrets of the game's.
  double value() const { return value_ / weight_; }
  // [leaf]: the average trunk's reach and the averaged values. These stand for the best-response
  // values too: they are so up to the solving error, and nothing else was kept.
  std::vector<Summary> summaries() const;

  // Bytes of regrets, strategies and averages: the trunk's, the most that the evaluator ever held,
  // and what is kept per leaf.
  size_t peak_learning_bytes() const;

 private:
  void add_to_averages(double decay);

  Engine& trunk_;
  LeafEvaluator& leaves_;
  solve::Schedule schedule_;
  Vectors root_reach_, root_values_;
  std::vector<Vectors> reach_, values_;                 // [leaf], of the newest iteration
  std::vector<Vectors> average_reach_, average_value_;  // [leaf], times weight_
  double weight_ = 0;
  double value_ = 0;
  int64_t iterations_ = 0;
};

// The same bytes of a full-width solver of the whole game.
size_t whole_game_learning_bytes(const solve::Problem& game);

}  // namespace cleave::decompose
