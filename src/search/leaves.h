#pragma once

#include <functional>
#include <memory>

#include "decompose/leaf_evaluator.h"
#include "decompose/piece.h"
#include "search/agent.h"

namespace cleave::search {

// Makes what stands at the leaves of a lookahead. The piece outlives the evaluator.
using MakeLeaves = std::function<std::unique_ptr<decompose::LeafEvaluator>(
    const decompose::Piece& lookahead, int hero)>;

// Each subgame solved for the reach that arrives: afresh, or kept warm between iterations.
MakeLeaves solved_leaves(const tree::Tree& tree, std::string algorithm, int64_t iterations,
                         bool keep_warm);
// Both players go on by a strategy of the whole game.
MakeLeaves blueprint_leaves(const tree::Tree& tree, tree::Strategy blueprint);
// Everything is worth nothing: what searching without knowledge comes to.
MakeLeaves zero_leaves();

// Answers with another evaluator's values and keeps a player's average of them, with the weights of
// the average strategy: the values that belong to the average strategies above (Burch et al. 2014,
// CFR-D keeps the same for re-solving).
class AveragedLeaves final : public decompose::LeafEvaluator {
 public:
  AveragedLeaves(decompose::LeafEvaluator& inner, size_t player,
                 std::function<double(int64_t t)> decay, size_t num_leaves);
  void evaluate(size_t leaf, const decompose::Vectors& reach, decompose::Vectors& values) override;
  void reset() override;
  size_t peak_learning_bytes() const override { return inner_.peak_learning_bytes(); }
  std::vector<std::vector<double>> averages() const;  // [leaf][state of the player]

 private:
  struct Sum {
    int64_t iterations = 0;
    double weight = 0;
    std::vector<double> values;
  };
  decompose::LeafEvaluator& inner_;
  size_t player_;
  std::function<double(int64_t t)> decay_;
  std::vector<Sum> sums_;  // [leaf]
};

}  // namespace cleave::search
