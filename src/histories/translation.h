#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "games/game.h"
#include "histories/action_abstraction.h"
#include "tree/strategy.h"

// Action translation: how a strategy of an abstraction is played in the whole game without solving
// anything. A move that the abstraction lacks is taken for one that it has.
namespace cleave::histories {

// The size, in pots, of the move into a history; NaN: not a bet.
using BetSize = std::function<double(uint32_t history)>;

// Of poker, [history]: chips beyond the call by the pot after calling. Throws InputError for any
// other game.
std::vector<double> bet_sizes(const games::Game& game, const tree::Tree& tree);

// Completes a strategy of the large game that stands at the information sets of the abstraction
// (expand_strategy) by translation, for both players. A dropped bet is taken for one of the two
// kept bets around it, sizes measured where it is made; beyond the ends for the end. The player
// draws once and goes on from there as if the bet had been that one: the counterpart of a history
// has the same labels but for the bets translated. As behaviour at an information set this is the
// mean of the abstract strategy over its counterparts, weighted by the draws' probability and by
// the player's own abstract reach (where that is zero everywhere: by the draws alone).
//
// Throws InputError where a dropped move has no size or nothing to be taken for, where a
// counterpart does not offer the same labels, and where a player cannot see what was dropped.
tree::Strategy translate(const games::Game& game, const tree::Tree& tree,
                         const ActionAbstraction& abstraction, const BetSize& size,
                         const tree::Strategy& abstract);

}  // namespace cleave::histories
