#include "decompose/cut_game.h"

namespace cleave::decompose {

CutGame take_apart(const solve::Problem& game, Cut cut) {
  CutGame result{game, std::move(cut), {}, {}};
  result.trunk = make_trunk(game.tree, result.cut);
  for (size_t s = 0; s < result.cut.roots.size(); ++s) {
    result.subgames.push_back(make_subgame(game.tree, result.cut, s));
  }
  return result;
}

}  // namespace cleave::decompose
