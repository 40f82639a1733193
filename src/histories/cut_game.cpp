#include "histories/cut_game.h"

namespace cleave::histories {

CutGame take_apart(const solve::Problem& game, Cut cut) {
  CutGame result{game, std::move(cut), {}, {}};
  result.trunk = make_piece(game.tree, {0}, result.cut.roots);
  for (size_t s = 0; s < result.cut.roots.size(); ++s) {
    result.subgames.push_back(make_subgame(game.tree, result.cut, s));
  }
  // They stay where they are when the whole is moved.
  for (const TreePiece& piece : result.subgames) {
    result.trunk.subgames.emplace_back(std::shared_ptr<void>(), &piece);
  }
  return result;
}

size_t whole_game_learning_bytes(const solve::Problem& game) {
  constexpr size_t kArrays = 4;  // of a solve::Learner: regrets, strategy, average, reach
  size_t sequences = 0;
  for (const tree::Treeplex& plex : game.form.player) sequences += plex.num_sequences;
  return kArrays * sequences * sizeof(double);
}

}  // namespace cleave::histories
