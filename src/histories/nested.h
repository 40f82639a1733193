#pragma once

#include <algorithm>
#include <vector>

#include "decompose/nested.h"
#include "histories/action_abstraction.h"
#include "tree/strategy.h"

// Nested subgame solving on trees (decompose/nested.h), all of it kept.
namespace cleave::histories {

struct NestedStep : decompose::NestedStep {
  std::vector<uint32_t> heads;  // histories right after the move
};

struct NestedResult {
  // Of the large game. The hero's part is complete but behind its own dropped moves, which it never
  // makes; the opponent's is what was given.
  tree::Strategy strategy;
  std::vector<NestedStep> steps;
  // What a best response with all moves gets.
  double best_response = 0;

  // Proposition 1: what the answers can have added to the hero's exploitability against an opponent
  // within the abstraction. (The paper's margins have the opposite sign there.)
  double total_gain() const {
    double sum = 0;
    for (const NestedStep& step : steps) sum += step.gain;
    return sum;
  }
  size_t num_assumed() const {
    return static_cast<size_t>(std::ranges::count_if(steps, &NestedStep::assumed));
  }
};

// `strategy`: both players' in the abstraction, expanded to the large game (expand_strategy).
// Throws InputError where a method needs the opponent's reach of a move that no model has (unsafe,
// combined: expensive only) and where the hero cannot see a dropped move of the opponent.
NestedResult solve_nested(const solve::Problem& game, const ActionAbstraction& abstraction,
                          size_t hero, const tree::Strategy& strategy,
                          const decompose::NestedMethod& method,
                          const decompose::ResolveOptions& solving = {});

}  // namespace cleave::histories
