#pragma once

#include <vector>

#include "decompose/cut.h"
#include "decompose/piece.h"

namespace cleave::decompose {

// A game of the tree engine taken apart. `game` must outlive it.
struct CutGame {
  const solve::Problem& game;
  Cut cut;
  Piece trunk;  // its leaves are the subgames, in order
  std::vector<Piece> subgames;
};

CutGame take_apart(const solve::Problem& game, Cut cut);

}  // namespace cleave::decompose
