#pragma once

#include <memory>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct LiarsDiceParams {
  int dice = 1;  // per player
  int faces = 6;
};

std::unique_ptr<Game> make_liars_dice(const LiarsDiceParams& params);
GameInfo liars_dice_info();

}  // namespace cleave::games
