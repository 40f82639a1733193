#pragma once

#include <string_view>

#include "hands/problem.h"

// Whole hold'em games, from the first bet on.
namespace cleave::hands {

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
Problem parse_game(std::string_view text, std::string_view file);
bool is_game_text(std::string_view text);  // and not a spot's

// Every so many-th of the first deals' classes, beginning at one that the seed chooses, so that
// about `count` are left: an estimate of the whole game.
void sample_deals(Setup& setup, size_t count, uint64_t seed);

// A game laid out, cut before its last street. Above the cut is the trunk.
struct WholeGame {
  Layout layout;    // with merged hands
  size_t last = 1;  // its last street

  const Setup& setup() const { return layout.setup; }
  const Street& street() const { return layout.streets[last]; }
  const Street& trunk_street() const { return layout.streets[last - 1]; }
  // Leaves of the trunk are numbered by board, then line.
  size_t num_lines() const { return trunk_street().exits.size(); }
  size_t num_leaves() const { return trunk_street().boards.size() * num_lines(); }
  // [hand]: its number among those that a board leaves, or kBlocked.
  static constexpr uint32_t kBlocked = ~uint32_t{0};
  std::vector<uint32_t> states_under(const Board& board) const;
};
// Throws InputError for a game of one street, which cannot be cut so.
WholeGame make_whole_game(const Setup& setup, int threads);

}  // namespace cleave::hands
