#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poker/definition.h"

// Betting: the rules of raising, abstractions of it, and the public tree of what can happen between
// deals. Cards do not appear here: the tree is the same under every board.
namespace cleave::poker {

// One bet or raise size as a player writes it.
struct Size {
  enum class Kind : uint8_t {
    kPot,        // "75%": of the pot (for a raise: of the pot after calling), rounded to a chip
    kMultiple,   // "2.5x": the raise is to this many times the last bet
    kChips,      // "100": this many chips for a bet; for a raise, added to the call
    kGeometric,  // "e" or "2e": equal parts of the pot that are all in after so many streets
                 // (no number: the streets that are left)
    kAllIn,      // "a"
    kMinimum,    // "min": the smallest that the rules allow
    kAll         // "any": every whole number of chips from the minimum to all in
  };
  Kind kind = Kind::kAllIn;
  double value = 0;  // the number as written: 75 for "75%"; 0 where there is none
  friend bool operator==(const Size&, const Size&) = default;
};
using Sizes = std::vector<Size>;
// "33%,75%,a". Throws InputError that begins with `what` and names the character.
Sizes parse_sizes(std::string_view text, std::string_view what);
std::string to_text(const Sizes& sizes);

// What one player may do on one street.
struct StreetSizes {
  Sizes bet;
  std::optional<Sizes> donk;  // bets out of position into the last aggressor of the street before;
                              // none: as `bet`
  std::vector<Sizes> raise;   // [raise level in the street]: the first raise, the second, ...; the
                              // last entry stands for all later ones; empty: no raises
};

// The rules and the abstraction of a stretch of betting. Chips that are in the pot when it begins
// belong to both in equal parts (a spot's pot, or both players' antes).
struct Betting {
  struct Street {
    int first_player = 0;
    int max_raises = 255;              // bets and raises in the street
    Chips fixed_raise = 0;             // limit games: the only bet and raise there is; else 0
    std::array<StreetSizes, 2> sizes;  // [player]
  };
  std::vector<Street> streets;
  Chips pot = 0;                        // before `committed`
  std::array<Chips, 2> stack = {};      // behind, before `committed`
  std::array<Chips, 2> committed = {};  // blinds on the first street
  Chips min_bet = 1;                    // smallest bet or raise: the big blind, or 1 chip in a spot
  // Fractions; 0 is off. "The pot" is the one after calling. All-in is added to the sizes, where
  // there are any, if what it adds to the call is at most this many times the pot.
  double add_allin = 0;
  // A bet that leaves at most this fraction of the pot after it is called becomes all-in.
  double force_allin = 0;
  // From the largest size down: one goes if (pot + next larger) <= (1 + merge) * (pot + this one).
  double merge = 0;
  // Fraction of the pot that is taken from the winner at the end of every hand, whether it ends by
  // fold or showdown, on any street; what was not called is returned first and not raked. From a
  // split pot each pays half.
  double rake = 0;
  Chips rake_cap = 0;  // 0: no cap
};

// All of a `.game` file's betting: every size that the rules allow, or the given sizes for no-limit
// games (the same on all streets and for both players).
Betting make_betting(const Definition& definition, const std::optional<Sizes>& sizes = {});

struct Action {
  enum class Kind : uint8_t { kFold, kCheck, kCall, kBet, kRaise, kAllIn, kDeal };
  Kind kind = Kind::kCheck;
  // kBet, kRaise, kAllIn: the chips the player has put in on this street afterwards.
  Chips to = 0;
  friend bool operator==(const Action&, const Action&) = default;
};
// "fold", "check", "call", "bet 100", "raise 350", "allin 900", "deal".
std::string to_text(const Action& action);
std::string to_text(const std::vector<Action>& actions);  // with commas
// The place of the one that is written so.
std::optional<size_t> find_action(const std::vector<Action>& actions, std::string_view text);

struct BettingNode {
  enum class Kind : uint8_t {
    kDecision,
    kFold,      // `player` folded
    kShowdown,  // before the last street: all in, what is left of the board is dealt out
    kDeal       // the next street begins: one child
  };
  Kind kind = Kind::kDecision;
  uint8_t player = 0;
  uint8_t street = 0;  // of a deal: the street that ends
  uint16_t num_children = 0;
  uint32_t parent = 0;       // the root's is itself
  uint32_t first_child = 0;  // children are neighbours, in the order of their actions: fold first,
                             // then check or call, then bets and raises from small to large
  Action action;             // that leads here
  std::array<Chips, 2> put = {};  // by each player since the tree's beginning, blinds included
};

const char* to_text(BettingNode::Kind kind);  // "decision", "fold", "showdown", "deal"

// Breadth first within a street, streets in order: parents come first. nodes[0] is the root.
struct BettingTree {
  Betting betting;
  std::vector<BettingNode> nodes;

  // Payoffs to `player` at a node that ends, relative to an equal split of the starting pot, after
  // rake: the other folded / this player folded / won, lost or tied the showdown.
  struct Payoffs {
    double win, lose, tie;  // a fold: win == lose == tie
  };
  Payoffs payoffs(uint32_t node, int player) const;

  double pot(const BettingNode& node) const {  // in the middle
    return static_cast<double>(betting.pot + node.put[0] + node.put[1]);
  }
  double behind(const BettingNode& node, size_t player) const {
    return static_cast<double>(betting.stack[player] - node.put[player]);
  }
  // What the action that leads to a node adds to a call, as a part of the pot after the call.
  double pot_share(const BettingNode& node) const;
};

// A line of play that is taken out of the tree: "check/bet 100", the last action of it.
struct BuildOptions {
  std::vector<std::string> removed = {};
  size_t max_nodes = 5'000'000;  // more: InputError that says how to make the tree smaller
};
BettingTree build_betting_tree(const Betting& betting, const BuildOptions& options = {});

// "bet 100/call/Qc": its steps, without white space around them; "" has none.
std::vector<std::string_view> split_line(std::string_view line);
// The actions that lead to a node, "bet 100/call/deal/check"; "" is the root.
std::string line_of(const BettingTree& tree, uint32_t node);

}  // namespace cleave::poker
