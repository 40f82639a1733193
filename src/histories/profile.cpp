#include "histories/profile.h"

#include <algorithm>

namespace cleave::histories {
namespace {

// The slots of a decision in the whole game, one for each move that the piece has.
std::span<const uint32_t> slots_of(const decompose::Piece& piece, size_t decision) {
  const auto& own = dynamic_cast<const TreePiece&>(piece);
  const uint32_t set = own.infoset(decision);
  return std::span(own.source_slot)
      .subspan(own.problem.tree.slot_begin[set], own.problem.tree.num_actions(set));
}

}  // namespace

void TreeProfile::give(const decompose::Piece& piece, decompose::Engine& engine) const {
  std::vector<double> rows;
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    bool is_known = false;
    rows.clear();
    for (const uint32_t slot : slots_of(piece, d)) {
      is_known |= strategy_[slot] >= 0;
      rows.push_back(std::max(0.0, strategy_[slot]));
    }
    if (is_known) engine.set_strategy(d, rows);
  }
}

void TreeProfile::take(const decompose::Piece& piece, decompose::Engine& engine, size_t player) {
  copy_strategy(piece, engine, player, strategy_);
}

void copy_strategy(const decompose::Piece& piece, decompose::Engine& engine, size_t player,
                   tree::Strategy& strategy) {
  std::vector<double> rows;
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    const decompose::Decision decision = engine.decision(d);
    if (decision.player != player) continue;
    rows.resize(decision.num_actions);
    engine.strategy(d, rows);
    const std::span<const uint32_t> slots = slots_of(piece, d);
    // Moves that the piece does not have are not made.
    const tree::Tree& game = *dynamic_cast<const TreePiece&>(piece).game;
    const uint32_t set = game.set_of_slot(slots[0]);
    std::fill_n(strategy.begin() + game.slot_begin[set], game.num_actions(set), 0.0);
    for (size_t a = 0; a < rows.size(); ++a) strategy[slots[a]] = rows[a];
  }
}

decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy) {
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) {
    // Parents have smaller numbers than the sets behind them.
    std::vector<double> plan(game.num_slots(), 0.0);
    for (uint32_t set = game.infoset_begin[p]; set < game.infoset_begin[p + 1]; ++set) {
      const uint32_t parent = game.sequence[p][game.first_history[set]];
      const double above = parent == tree::kNone ? 1 : plan[parent];
      for (uint32_t slot = game.slot_begin[set]; slot < game.slot_begin[set + 1]; ++slot) {
        plan[slot] = above * strategy[slot];
      }
    }
    for (const PrivateState& state : border.states[p]) {
      const uint32_t slot = state.acts ? game.sequence[p][game.first_history[state.id]] : state.id;
      reach[p].push_back(slot == tree::kNone ? 1 : plan[slot]);
    }
  }
  return reach;
}

}  // namespace cleave::histories
