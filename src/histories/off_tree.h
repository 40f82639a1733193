#pragma once

#include <vector>

#include "histories/action_abstraction.h"

namespace cleave::histories {

// All moves of the opponent outside the abstraction, gathered into the subgames that the hero has
// to solve: heads are the histories right after such a move, and two of them belong together if it
// is the same move at the same place, or if an information set below does not tell them apart.
// Moves of the hero outside the abstraction do not happen; what follows them is left out.
struct OffTree {
  size_t hero = 0;
  std::vector<bool> kept_slot;  // [slot]: of the abstraction
  struct Subgame {
    std::vector<uint32_t> heads;
    size_t depth = 1;
    std::vector<size_t> inside;  // subgames below this one, next in depth
  };
  std::vector<Subgame> subgames;
  std::vector<size_t> outermost;
  std::vector<uint32_t> num_known;  // [infoset]: histories in it that can happen
  // Histories that can happen and where the opponent moves, by place (smallest subgame).
  std::vector<uint32_t> place;                // [history]: kNone elsewhere
  std::vector<std::vector<uint32_t>> places;  // [place]
};

// Throws InputError where the hero cannot see a dropped move of the opponent.
OffTree find_off_tree(const tree::Tree& game, const ActionAbstraction& abstraction, size_t hero);

}  // namespace cleave::histories
