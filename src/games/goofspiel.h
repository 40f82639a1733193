#pragma once

#include <memory>
#include <string>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct GoofspielParams {
  int cards = 4;
  std::string prizes = "descending";  // or "ascending", "random"
  bool reveal = false;                // whether both bids are shown after a round
  std::string payoff = "win_loss";    // or "points", the difference
};

std::unique_ptr<Game> make_goofspiel(const GoofspielParams& params);
GameInfo goofspiel_info();

}  // namespace cleave::games
