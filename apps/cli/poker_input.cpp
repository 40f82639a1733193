#include "poker_input.h"

namespace cleave::cli {

const char* player_name(const hands::Problem& problem, size_t player) {
  if (problem.pot == 0) return player == 0 ? "player 1" : "player 2";
  return player == 0 ? "OOP" : "IP";
}

}  // namespace cleave::cli
