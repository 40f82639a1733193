#pragma once

#include <vector>

#include "hands/setup.h"

// Two abstractions of the betting, one within the other.
namespace cleave::hands {

// How the bets of a large betting tree stand to those of a smaller one.
struct BetMap {
  std::vector<bool> off;     // [node of the large tree]: the move into it is not in the small one
  std::vector<double> pots;  // the size of the bet into it, in pots; 0: not a bet
  // [node]: the least that a player can get from there on within the small abstraction, whatever
  // happens.
  std::array<std::vector<double>, 2> least;
};
// Throws InputError where the small game is not the large one with some sizes left out.
BetMap map_bets(const poker::Betting& small, const poker::BettingTree& large);

// Where these moves are outside; all else follows from the tree.
BetMap map_bets(const poker::BettingTree& large, std::vector<bool> off);

// A node that another one is taken for, with the probability of the draws.
struct Counterpart {
  uint32_t node = 0;
  double weight = 1;
};
// [node of the large tree]: what a hero who translates the opponent's bets by the randomised
// pseudo-harmonic mapping takes it for; itself where the opponent kept to the small tree; nothing
// behind the hero's own bets outside of it.
std::vector<std::vector<Counterpart>> find_counterparts(const poker::BettingTree& large,
                                                        const BetMap& bets, size_t hero);

}  // namespace cleave::hands
