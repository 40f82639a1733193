#pragma once

#include <memory>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct KuhnParams {
  int cards = 3;
};

std::unique_ptr<Game> make_kuhn(const KuhnParams& params);
GameInfo kuhn_info();

}  // namespace cleave::games
