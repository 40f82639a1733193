#pragma once

#include <vector>

#include "decompose/method.h"
#include "histories/action_abstraction.h"
#include "histories/resolve.h"

// Nested subgame solving (Brown and Sandholm 2017, section 7): a hero who knows a strategy of an
// action abstraction meets an opponent who makes moves outside it, and answers each by solving a
// new subgame, itself within the abstraction; and so on inside of that.
namespace cleave::histories {

struct NestedOptions {
  // Inexpensive: the subgame begins after the opponent's move, against alternatives CBV(I): what
  // the opponent can get at I by the moves that the hero's model has so far. Expensive: it begins
  // where the opponent moves, with the new move added to the tree; only what follows that move is
  // played.
  bool expensive = false;
  ResolveOptions solving;
};

// One answer to a move outside the abstraction, at all information sets I of one public state.
struct NestedStep {
  std::vector<uint32_t> heads;  // histories right after the move
  size_t depth = 1;             // moves outside the abstraction so far, this one counted
  bool reached = true;          // whether the hero's own strategy goes there; else it is uniform
  // Against the answer: sum over I of max(0, CBV(I, a) - CBV(I)), Burch's units, and the smallest
  // CBV(I) - CBV(I, a), V units.
  double gain = 0;
  double margin = 0;
};

struct NestedResult {
  // Of the large game. The hero's part is complete but behind its own dropped moves, which it never
  // makes; the opponent's is what was given.
  tree::Strategy strategy;
  std::vector<NestedStep> steps;
  // Unsafe methods: subgames that the opponent of the hero's model never enters. Every private
  // state of the opponent counted alike there.
  size_t num_assumed = 0;

  // Proposition 1: what the answers can have added to the hero's exploitability against an opponent
  // within the abstraction. (The paper's margins have the opposite sign there.)
  double total_gain() const;
};

// `strategy`: both players' in the abstraction, expanded to the large game (expand_strategy).
// Throws InputError where a method needs the opponent's reach of a move that no model has (unsafe,
// combined: expensive only) and where the hero cannot see a dropped move of the opponent.
NestedResult solve_nested(const solve::Problem& game, const ActionAbstraction& abstraction,
                          size_t hero, const tree::Strategy& strategy,
                          const decompose::Method& method, const NestedOptions& options = {});

}  // namespace cleave::histories
