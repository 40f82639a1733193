#pragma once

#include <cstdint>
#include <memory>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct RandomGameParams {
  int depth = 5;
  int branching = 3;
  int observations = 2;
  int64_t seed = 1;
  bool vary = false;  // 2 to branching actions instead of always branching
  double chance = 0;  // probability that a level is chance's
  double stop = 0;    // probability that a history below the root ends before the full depth
};

// Beyond Game's contract, infoset_key() may be asked at terminal states and gives what the player
// would know whose turn came next; the FPIRA paper counts these as information sets too.
std::unique_ptr<Game> make_random_game(const RandomGameParams& params);
GameInfo random_game_info();

}  // namespace cleave::games
