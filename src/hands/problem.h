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

}  // namespace cleave::hands
