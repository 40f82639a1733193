#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poker/betting.h"
#include "poker/range.h"

namespace cleave::poker {

// A player's strategy at a node, fixed for some of its hands.
struct Lock {
  std::string node;  // "bet 100/call/Qc/check": actions and cards dealt
  struct Part {
    Range hands;                                              // where the weight is above 0
    std::vector<std::pair<std::string, double>> frequencies;  // [action text]; they sum to 1
  };
  std::vector<Part> parts;  // later ones replace earlier ones
  std::string where;        // "FILE:LINE", for messages about what the file cannot know
};

// A hold'em situation to solve: from a flop, turn or river on, player 0 out of position.
struct Spot {
  std::string name;         // the file's stem
  std::vector<Card> board;  // in the order given: flop, turn, river
  std::array<Range, 2> ranges;
  Betting betting;                   // streets: those from the board's on
  std::vector<std::string> removed;  // lines taken out of the tree
  std::vector<Lock> locks;
  bool symmetry = true;  // deal turns and rivers up to suit symmetry

  const char* street_name(int street) const;  // "flop", "turn", "river"; 0 is the board's street
};

// Throws InputError "FILE:LINE: ..." for what is not TOML, unknown keys (with the allowed ones),
// and contradictions: cards on the board twice, a board of other than 3, 4 or 5 cards, a range that
// is empty once the board's cards are taken out, no hand of one range that goes with one of the
// other, pot or stack of 0 or less, a fixed size below the minimum raise or above the stack,
// frequencies that do not sum to 1.
Spot parse_spot(std::string_view text, std::string_view file);
Spot read_spot(const std::string& path);
// As a spot file that parse_spot reads back to the same spot: what solutions keep.
std::string to_text(const Spot& spot);

}  // namespace cleave::poker
