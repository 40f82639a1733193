#pragma once

#include "decompose/profile.h"
#include "histories/piece.h"
#include "tree/strategy.h"

namespace cleave::histories {

// A strategy of the whole game, for its pieces; or of a part of it: negative at information sets of
// which it says nothing, and engines are left there as they are.
class TreeProfile final : public decompose::Recombined {
 public:
  static constexpr double kNothing = -1;
  explicit TreeProfile(tree::Strategy strategy) : strategy_(std::move(strategy)) {}
  void give(const decompose::Piece& piece, decompose::Engine& engine) const override;
  void take(const decompose::Piece& piece, decompose::Engine& engine, size_t player) override;
  const tree::Strategy& strategy() const { return strategy_; }

 private:
  tree::Strategy strategy_;
};

// The reverse: the player's strategy in a piece into a strategy of the whole game.
void copy_strategy(const decompose::Piece& piece, decompose::Engine& engine, size_t player,
                   tree::Strategy& strategy);

// The reach of the private states at a border under a strategy of the game.
decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy);

}  // namespace cleave::histories
