#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct LeducParams {
  int ranks = 3;
  int suits = 2;         // cards per rank
  bool distinct = true;  // whether players tell the cards of a rank apart
  int ante = 1;
  // [round, size]: chips a bet adds, and chips a raise adds to the amount to call. One list stands
  // for both rounds; no list of raises means that they are the bets.
  std::vector<std::vector<int64_t>> bets = {{2}, {4}};
  std::vector<std::vector<int64_t>> raises = {};
  int max_raises = 1;  // raises after the bet, in each round
};

std::unique_ptr<Game> make_leduc(const LeducParams& params);
GameInfo leduc_info();

}  // namespace cleave::games
