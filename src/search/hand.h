#pragma once

#include <optional>
#include <span>

#include "core/random.h"
#include "tree/tree.h"

namespace cleave::search {

// One hand of a compiled game.
class TreeHand {
 public:
  explicit TreeHand(const tree::Tree& tree) : tree_(&tree) {}

  uint32_t history() const { return history_; }
  tree::Actor actor() const { return tree_->actor[history_]; }
  void take(size_t action) {
    history_ = tree_->child_begin[history_] + static_cast<uint32_t>(action);
  }
  void deal(core::Random& random) {
    const uint32_t first = tree_->child_begin[history_];
    take(random.draw(
        std::span(tree_->probability).subspan(first, tree_->child_begin[history_ + 1] - first)));
  }

 private:
  const tree::Tree* tree_;
  uint32_t history_ = 0;
};

// Plays a hand, of whichever engine, until it is over or waits for somebody: chance draws from
// `random`, a player takes the action `choose(player)`; none: the player is waited for.
template <class Hand, class Choose>
void play_on(Hand& hand, core::Random& random, const Choose& choose) {
  for (tree::Actor actor = hand.actor(); actor != tree::kTerminal; actor = hand.actor()) {
    if (actor == tree::kChance) {
      hand.deal(random);
    } else if (const std::optional<size_t> action = choose(size_t{actor})) {
      hand.take(*action);
    } else {
      return;
    }
  }
}

}  // namespace cleave::search
