#pragma once

#include <memory>
#include <vector>

#include "core/rational.h"
#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct RpsParams {
  std::vector<core::Rational> weights = {1, 1, 1};  // what winning with rock, paper, scissors pays
};

std::unique_ptr<Game> make_rps(const RpsParams& params);
GameInfo rps_info();

}  // namespace cleave::games
