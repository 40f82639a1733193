#include "histories/profile.h"

#include "histories/piece.h"

namespace cleave::histories {
namespace {

// The first slot of a decision in the whole game.
uint32_t source_of(const decompose::Piece& piece, size_t decision) {
  const auto& own = dynamic_cast<const TreePiece&>(piece);
  return own.source_slot[own.problem.tree.slot_begin[own.infoset(decision)]];
}

}  // namespace

void TreeProfile::give(const decompose::Piece& piece, decompose::Engine& engine) const {
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    const uint32_t first = source_of(piece, d);
    engine.set_strategy(d, std::span(strategy_).subspan(first, engine.decision(d).num_actions));
  }
}

void copy_strategy(const decompose::Piece& piece, decompose::Engine& engine, size_t player,
                   tree::Strategy& strategy) {
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    const decompose::Decision decision = engine.decision(d);
    if (decision.player != player) continue;
    engine.strategy(d, std::span(strategy).subspan(source_of(piece, d), decision.num_actions));
  }
}

}  // namespace cleave::histories
