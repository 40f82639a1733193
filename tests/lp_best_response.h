#pragma once

#include "solve/sequence_lp.h"
#include "tree/derive.h"

namespace cleave::solve {

// What `player` can get against the other's part of `strategy`, in the game's own payoffs: the same
// as best_respond(), by the linear program of the game in which the other's moves are chance's.
inline double lp_best_response_value(const Problem& problem, size_t player,
                                     const tree::Strategy& strategy) {
  const tree::Tree& tree = problem.tree;
  tree::Recipe recipe;
  recipe.treat = [&](uint32_t history) {
    return tree.actor[history] == 1 - player ? tree::Treatment::kFix : tree::Treatment::kKeep;
  };
  recipe.strategy = &strategy;
  const double value = solve_lp(make_problem(tree::derive(tree, recipe).tree)).value;
  return player == 0 ? value : 2 * tree.shift - value;
}

}  // namespace cleave::solve
