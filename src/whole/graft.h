#pragma once

#include <atomic>
#include <cstdint>

#include "whole/blueprint.h"

namespace cleave::whole {

struct GraftOptions {
  std::string algorithm = "cfr+";
  int64_t iterations = 100;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

// Jackson's second pass over a whole game: the hero keeps the blueprint's strategy above the cut
// and learns below it, the opponent learns everywhere. Mean over both heroes of what a best
// response then gets, in chips: no way to play the last street after this trunk does much better.
// It takes the memory of the whole game. Throws RunError when stopped.
double graft_exploitability(const Game& game, Blueprint& blueprint, const GraftOptions& options);

}  // namespace cleave::whole
