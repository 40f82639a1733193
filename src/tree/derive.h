#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tree/strategy.h"
#include "tree/tree.h"

// New trees from old ones: every piece, gadget game, recovery game and abstraction of the
// decomposition layer is a tree derived from the game's, so that all solvers run on it unchanged.
namespace cleave::tree {

// What becomes of a history of the source that is not terminal.
enum class Treatment : uint8_t {
  kKeep,
  kEnd,  // a terminal worth Recipe::value
  kFix,  // the acting player's move becomes chance's, with the probabilities of Recipe::strategy
};

// Where a source history hangs under the new root, which is chance's. `weight` takes the place of
// a probability; weights need not sum to one.
struct DerivedRoot {
  uint32_t history = 0;
  double weight = 1;
  // [player]: the player's sequence there, a slot of its entry sets counted from 0, or kNone.
  std::array<uint32_t, 2> entry = {kNone, kNone};
  uint32_t copy = 0;  // information sets that Recipe::cell tells apart by it
};

// A terminal under the new root: the alternative payoffs of gadgets.
struct DerivedEnd {
  double weight = 1;
  double payoff = 0;  // to player one
  std::array<uint32_t, 2> entry = {kNone, kNone};
};

struct Recipe {
  std::string name;
  std::vector<DerivedRoot> roots;  // empty: the source's root is the root
  std::vector<DerivedEnd> ends;
  // [player][entry set]: number of actions. Entry sets are information sets without histories:
  // decisions that are made before the new root (which private state to be in, whether to enter).
  // Sequence form, linear program and evaluations work with them; sampling solvers, which walk
  // histories, do not.
  std::array<std::vector<uint32_t>, 2> entry_sets;

  // Empty functions: keep everything.
  std::function<Treatment(uint32_t history)> treat;
  std::function<double(uint32_t history)> value;  // to player one, where kEnd
  std::function<bool(uint32_t child)> keeps;      // false: the move into `child` is left out
  // Sets of one player with equal cells become one; the default is the set itself in each copy.
  std::function<uint64_t(uint32_t infoset, uint32_t copy)> cell;
  const Strategy* strategy = nullptr;  // where kFix
};

struct Derived {
  Tree tree;                          // public states not filled in
  std::vector<uint32_t> source;       // [history]: in the source; kNone: new
  std::vector<uint32_t> source_slot;  // [slot]: in the source (the first one seen); kNone: entry
};

// Throws InputError if merged information sets differ in their number of actions.
Derived derive(const Tree& source, const Recipe& recipe);

}  // namespace cleave::tree
