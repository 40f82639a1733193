#pragma once

#include "histories/cut.h"
#include "histories/piece.h"

namespace cleave::histories {

// Bytes of regrets, strategies and averages of a full-width solver of the whole game.
inline size_t whole_game_learning_bytes(const solve::Problem& game) {
  constexpr size_t kArrays = 4;  // of a solve::Learner: regrets, strategy, average, reach
  const auto& [one, two] = game.form.player;
  return kArrays * (one.num_sequences + two.num_sequences) * sizeof(double);
}

}  // namespace cleave::histories
