#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/random.h"

namespace cleave {

// The i-th of a fixed list of small random games of varied shape.
inline std::string random_game_name(int i) {
  core::Random random(static_cast<uint64_t>(i) + 1000);
  const auto depth = 2 + random.below(5);
  const auto branching = 2 + random.below(3);
  const auto observations = 1 + random.below(3);
  const char* chance[] = {"0", "0.3", "0.6"};
  return fmt::format("random(depth={},branching={},observations={},seed={},chance={},vary={})",
                     depth, branching, std::min(observations, branching), i + 1,
                     chance[random.below(3)], random.below(2) == 0 ? "true" : "false");
}

}  // namespace cleave
