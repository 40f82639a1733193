#pragma once

#include <functional>

#include "decompose/leaf_evaluator.h"
#include "histories/piece.h"

namespace cleave::histories {

// A history at a leaf.
struct Position {
  std::array<uint32_t, 2> state = {};  // [player]: number of its private state
  double chance = 1;                   // chance's reach
  double value = 0;                    // v(h), to player one
};

// v(h): one number per history, whatever the players' reach: v_p(I) = sum over h in I of chance *
// the other's reach * v(h). The leaf of classical search in perfect-information games; with hidden
// information it cannot be right in general (rock-paper-scissors cut at depth 1), since what a
// history is worth depends on how likely the others in its information set are.
class PositionLeaves final : public decompose::LeafEvaluator {
 public:
  explicit PositionLeaves(std::vector<std::vector<Position>> positions)  // [leaf]
      : positions_(std::move(positions)) {}

  void evaluate(std::span<decompose::LeafState> leaves, decompose::Players wanted) override;

 private:
  std::vector<std::vector<Position>> positions_;
};

// Of a tree engine's piece; `value` gets a history of the game.
std::vector<std::vector<Position>> make_positions(
    const tree::Tree& game, const TreePiece& piece,
    const std::function<double(uint32_t history)>& value);

}  // namespace cleave::histories
