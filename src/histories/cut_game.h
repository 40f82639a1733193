#pragma once

#include <vector>

#include "histories/cut.h"
#include "histories/piece.h"

namespace cleave::histories {

// A game of the tree engine taken apart. `game` must outlive it; not to be copied: the trunk knows
// where its subgames stand.
struct CutGame {
  const solve::Problem& game;
  Cut cut;
  TreePiece trunk;  // its leaves are the subgames, in order
  std::vector<TreePiece> subgames;
};

CutGame take_apart(const solve::Problem& game, Cut cut);

// Bytes of regrets, strategies and averages of a full-width solver of the whole game.
size_t whole_game_learning_bytes(const solve::Problem& game);

}  // namespace cleave::histories
