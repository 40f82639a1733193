#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/game.h"
#include "games/registry.h"

namespace cleave::games {

struct NimParams {
  std::vector<int64_t> piles = {1, 2, 3};
};

std::unique_ptr<Game> make_nim(const NimParams& params);
GameInfo nim_info();

}  // namespace cleave::games
