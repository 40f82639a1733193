#include "histories/profile.h"

#include <algorithm>

#include "histories/piece.h"

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

}  // namespace cleave::histories
