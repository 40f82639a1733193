#pragma once

#include <string>
#include <string_view>

#include "hands/layout.h"

// Whole hold'em games, from the first bet on: too large to keep a strategy for every hand of every
// board, cut where the last street is dealt.
namespace cleave::whole {

// A game with its betting tree written out, as the files of papers/ have it:
//   stack = 20000
//   blinds = [100, 50]            player one posts the big blind and acts first after the flop
//   [preflop]
//   bets = 1                      bets and raises of the street
//   bet = "50%,100%"              of the pot after calling
//   raise = "100%"                none: as bet
//   sb.bet = "100%"               one player's own: sb or bb
//   [flop]                        as many streets as the game has
// Throws InputError "FILE:LINE: ...".
hands::Setup parse_game(std::string_view text, std::string_view file);

// Every so many-th of the first deals' classes, beginning at one that the seed chooses, so that
// about `count` are left: an estimate of the whole game.
void sample_deals(hands::Setup& setup, size_t count, uint64_t seed);

// Reach of all hands that go with each hand: without a card in common.
std::vector<double> reach_met(const std::vector<poker::CardSet>& hands,
                              const std::vector<double>& reach);

// A game laid out, cut before its last street. Above the cut is the trunk.
struct Game {
  hands::Layout layout;  // with merged hands
  size_t last = 1;       // its last street

  const hands::Setup& setup() const { return layout.setup; }
  const hands::Street& street() const { return layout.streets[last]; }
  const hands::Street& trunk_street() const { return layout.streets[last - 1]; }
  // Where a line of play (an exit of the trunk) goes on, in the betting tree.
  uint32_t entry(size_t line) const;
  // Leaves of the trunk are numbered by board, then line.
  size_t num_lines() const { return trunk_street().exits.size(); }
  size_t num_leaves() const { return trunk_street().boards.size() * num_lines(); }
  hands::Setup trunk() const;  // down to the cut
};
// Throws InputError for games that cannot be cut so: one street, or hands all in before the last.
Game make_game(const hands::Setup& setup, int threads);

}  // namespace cleave::whole
