#pragma once

#include <memory>

#include "games/registry.h"
#include "histories/recovery.h"
#include "solve/evaluate.h"

namespace cleave::histories {

using tree::Strategy;

struct Cutting {
  explicit Cutting(const char* name, const char* spec)
      : game(games::make_game(name)),
        problem(solve::make_problem(*game)),
        cut(make_cut(*game, problem.tree, spec)) {}
  double exploitability(const Strategy& strategy) const {
    return solve::certify(problem, strategy).exploitability;
  }
  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  Cut cut;
};

// The whole-game strategy in the slots of a recovery game, those that are not copied back included:
// they have the same place below the same history.
inline Strategy restricted(const RecoveryGame& game, const Strategy& strategy) {
  Strategy result = tree::uniform_strategy(game.problem.tree);
  for (size_t slot = 0; slot < result.size(); ++slot) {
    if (game.source_slot[slot] != tree::kNone) result[slot] = strategy[game.source_slot[slot]];
  }
  return result;
}

}  // namespace cleave::histories
