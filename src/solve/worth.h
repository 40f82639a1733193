#pragma once

#include "solve/problem.h"

namespace cleave::solve {

// What a strategy is worth everywhere. Payoffs are the game's own, shift included. Not a number
// where nothing is known or nobody comes.
struct Worth {
  std::vector<double> value;         // [history], to player 1
  std::vector<double> reach;         // [history], by both players and chance
  std::vector<double> own_reach;     // [infoset]
  std::vector<double> action_value;  // [slot] to its player, divided by the others' reach
  std::vector<double> set_value;     // [infoset], the same for the strategy's mix
  std::vector<double> best;          // [infoset], the same for a best response
};
Worth find_worth(const Problem& problem, const tree::Strategy& strategy);
// Of a game that no solver takes: nothing is known of best responses, nor, where payoffs have no
// constant sum, of what player 2 gets.
Worth find_worth(const tree::Tree& tree, const tree::Strategy& strategy);

}  // namespace cleave::solve
