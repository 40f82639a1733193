#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decompose/engine.h"
#include "hands/vector_engine.h"
#include "poker/spot.h"

namespace cleave::hands {

// Poker to be solved: a hold'em spot, or a `.game` file from its beginning.
struct Problem {
  std::string name;
  std::string text;  // the spot or game as a file: what solutions keep
  Setup setup;
  decompose::Vectors reach;  // of the setup's hands at the root: a spot's ranges
  double pot = 0;            // at the root; what percentages are of. 0: none
  std::vector<poker::Lock> locks;
  std::vector<poker::Card> board;  // at the root, as written
  std::vector<std::string> street_names;

  // Both players' payoffs count from an equal split of the pot: its half is put back.
  double shift() const { return pot / 2; }
};
Problem make_problem(const poker::Spot& spot);
Problem make_problem(const poker::Definition& definition,
                     const std::optional<poker::Sizes>& sizes = {});

// From Problem::text.
Problem parse_problem(const std::string& text, const std::string& name);

// A node as a person names it: "bet 100/call/Qc/check", actions and the cards dealt.
struct Address {
  int street = 0;
  uint32_t board = 0;                      // of the street: the one that stands for the cards named
  uint32_t node = 0;                       // of the street
  poker::SuitMap map = poker::kSameSuits;  // from the cards named to those of that board
  poker::CardSet cards = 0;                // on the board, as named
};
// Throws InputError saying which part does not fit and what would. "" is the root.
Address find_address(const Layout& layout, std::string_view line);
// Every board that "*" in the place of cards can stand for.
std::vector<Address> find_addresses(const Layout& layout, std::string_view line);
// Where a line (the number of an exit of the street before) enters the street.
uint32_t entry_node(const Street& street, uint32_t line);
// The actions at a decision, in order.
std::vector<poker::Action> actions_at(const Layout& layout, int street, uint32_t node);

// The problem's locks at their nodes. Throws InputError "FILE:LINE: ..." for lines and actions that
// the tree does not have.
std::vector<LockedNode> place_locks(const Problem& problem, const Layout& layout);

// Whole hold'em games, from the first bet on.

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
