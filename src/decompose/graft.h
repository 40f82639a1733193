#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <string>

#include "decompose/profile.h"

namespace cleave::decompose {

struct GraftOptions {
  std::string algorithm = "cfr+";
  int64_t iterations = 1000;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  // Gets every hero's answer while it stands in an engine of the whole game.
  std::function<void(size_t hero, const Piece& whole, Engine& engine)> take = {};
};

// Strategy grafting (Waugh, Bard and Bowling 2009; Jackson's second pass): the hero keeps the
// profile's strategy in the trunk and learns below it, the opponent learns everywhere. It takes the
// memory of the whole game; no way to play below this trunk does much better. [player]: what its
// best response gets in chips against the other's graft, the shift not counted. Throws RunError
// when stopped.
std::array<double, 2> graft(const Piece& trunk, const Profile& profile, const Vectors& root_reach,
                            const GraftOptions& options);

}  // namespace cleave::decompose
