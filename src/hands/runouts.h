#pragma once

#include <vector>

#include "hands/view.h"

namespace cleave::hands {

// Cards that may be dealt at a node: those of one entry play the same, highest first.
std::vector<std::vector<poker::CardSet>> next_cards(const Layout& layout, const NodeView& view);

// What a card makes of the game.
struct Runout {
  std::vector<poker::CardSet> cards;  // that share what follows
  NodeView view;                      // after the first of them
};
// Empty where more than a deck's cards can come (flops), which nobody reads.
std::vector<Runout> runouts(Solution& solution, const NodeView& view);

}  // namespace cleave::hands
