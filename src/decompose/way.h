#pragma once

#include <vector>

#include "decompose/piece.h"

namespace cleave::decompose {

// What a player passed by at one of its decisions I' on the way to a private state, Burch's units.
struct Passed {
  double rho = 0;         // chance's and the other's reach of I'
  double best = 0;        // CBV(I')
  double best_taken = 0;  // CBV(I', a') of the action that leads on
  double guaranteed = 0;  // the most that I' is worth whatever the other does behind it
  double other = 0;       // by both players' strategies: the best of the actions not taken
  double taken = 0;       // and the one that was
  bool sole = false;      // I' leads to no other private state of the same leaf
  double images = 1;      // deals since then that are solved as one: a gift is one to all of them
};

// The opponent's decisions above a place, [private state there][first to last]. Gifts and Jackson's
// detours are functions of it.
using Way = std::vector<std::vector<Passed>>;

// To one leaf of a stretch of trunk, from the player's values at its decisions. `above`: the way to
// the root of the stretch; empty where the game begins.
Way way_to(const Piece& trunk, size_t leaf, size_t player, const Way& above,
           const DecisionValues& best_response, const DecisionValues& average);
// The same along other trails through the stretch.
Way way_along(const std::vector<Trail>& trails, const Way& above,
              const DecisionValues& best_response, const DecisionValues& average);
// CBV of a decision, closed actions left out.
double best_at(const DecisionValues& best_response, const Passage& at);
// The same way, and then on over a cut or a deal.
Way cross(const Way& way, const Crossing& crossing, size_t player, size_t states_below);

// What the opponent gives away at one of its information sets I' by the action a' on the way to a
// root state I, in V units.
struct Gift {
  double gain = 0;    // CBV(I') - CBV(I', a') against the trunk
  double bound = 0;   // the same with the largest value that is guaranteed at I', at least 0
  double reach = 1;   // pi_-opp(I', I): how likely I is after (I', a') if the opponent wants it
  bool sole = false;  // I' leads to no other root state of the subgame
};

struct GiftRule {
  enum class Kind { kNoGifts, kSingle, kSplit } kind = Kind::kNoGifts;
  bool bound = false;  // lower bounds instead of gains
  double scale = 1;
};

// What was given away on the way, V units. `rho`: of the private state at the end of the way.
std::vector<Gift> find_gifts(const std::vector<Passed>& way, double rho);
// What the player gives up, or wins, by coming here if both follow their strategies: the largest
// over its decisions of the best other action less the one taken. Burch's units.
double find_detour(const std::vector<Passed>& way);

}  // namespace cleave::decompose
