#include "histories/position_leaves.h"

#include <algorithm>

namespace cleave::histories {

void PositionLeaves::evaluate(std::span<decompose::LeafState> leaves, decompose::Players) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    const decompose::Vectors& reach = leaves[i].reach;
    decompose::Vectors& values = leaves[i].values;
    for (auto& own : values) std::ranges::fill(own, 0.0);
    for (const Position& h : positions_[i]) {
      const double worth = h.chance * h.value;
      values[0][h.state[0]] += reach[1][h.state[1]] * worth;
      values[1][h.state[1]] -= reach[0][h.state[0]] * worth;
    }
  }
}

std::vector<std::vector<Position>> make_positions(
    const tree::Tree& game, const TreePiece& piece,
    const std::function<double(uint32_t history)>& value) {
  const std::vector<double> chance = chance_reach(game);
  std::vector<std::vector<Position>> positions;
  for (const Border& leaf : piece.leaves) {
    auto& here = positions.emplace_back();
    for (size_t i = 0; i < leaf.histories.size(); ++i) {
      const uint32_t h = leaf.histories[i];
      here.push_back({{leaf.state_of[0][i], leaf.state_of[1][i]}, chance[h], value(h)});
    }
  }
  return positions;
}

}  // namespace cleave::histories
