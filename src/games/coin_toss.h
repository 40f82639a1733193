#pragma once

#include <memory>

#include "core/rational.h"
#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct CoinTossParams {
  core::Rational sell_heads = {1, 2};   // what player 1 gets for selling after Heads
  core::Rational sell_tails = {-1, 2};  // and after Tails
};

std::unique_ptr<Game> make_coin_toss(const CoinTossParams& params);
GameInfo coin_toss_info();

}  // namespace cleave::games
