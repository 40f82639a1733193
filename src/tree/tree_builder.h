#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "tree/tree.h"

namespace cleave::tree {

// What compile() and derive() share: histories are added level by level, information sets are
// numbered as found and renumbered by player at the end.
class TreeBuilder {
 protected:
  explicit TreeBuilder(int num_players) {
    tree_.num_players = num_players;
    tree_.sequence.resize(static_cast<size_t>(num_players));
  }

  // expand(history) adds the children of each history in turn, from the root on, which is there.
  template <class BeginLevel, class Expand>
  void expand_levels(const BeginLevel& begin_level, const Expand& expand) {
    tree_.level_begin.push_back(0);
    while (tree_.level_begin.back() < tree_.num_histories()) {
      const auto end = static_cast<uint32_t>(tree_.num_histories());
      begin_level();
      for (uint32_t h = tree_.level_begin.back(); h < end; ++h) {
        tree_.child_begin.push_back(static_cast<uint32_t>(tree_.num_histories()));
        expand(h);
      }
      tree_.level_begin.push_back(end);
    }
    tree_.child_begin.push_back(static_cast<uint32_t>(tree_.num_histories()));
  }

  // A terminal, until something else is said of it; its sequences are the caller's to add.
  uint32_t add_history(uint32_t parent, double probability) {
    tree_.parent.push_back(parent);
    tree_.probability.push_back(probability);
    tree_.actor.push_back(kTerminal);
    tree_.infoset.push_back(kNone);
    return static_cast<uint32_t>(tree_.num_histories() - 1);
  }
  void end_here(uint32_t h, double payoff) {
    tree_.infoset[h] = static_cast<uint32_t>(tree_.payoff.size());
    tree_.payoff.push_back(payoff);
  }

  uint32_t add_set(Actor player, uint32_t num_actions, uint32_t first_history) {
    tree_.first_history.push_back(first_history);
    set_player_.push_back(player);
    set_slot_.push_back(num_slots_);
    set_actions_.push_back(num_actions);
    num_slots_ += num_actions;
    return static_cast<uint32_t>(set_player_.size() - 1);
  }
  // Returns the set's first slot.
  uint32_t enter_set(uint32_t h, uint32_t set) {
    const auto& own = tree_.sequence[set_player_[set]];
    if (own[tree_.first_history[set]] != own[h] && bad_recall_ == kNone) bad_recall_ = set;
    tree_.infoset[h] = set;
    return set_slot_[set];
  }

  // Each player's information sets become contiguous; within a player they stay as found, which is
  // by level. Returns the new numbers of slots: [slot as found].
  std::vector<uint32_t> renumber() {
    const size_t n = set_player_.size();
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](uint32_t set) { return set_player_[set]; });
    std::vector<uint32_t> new_set(n), new_slot(num_slots_), first_history(n);
    tree_.slot_begin.assign(1, 0);
    tree_.infoset_begin.assign(static_cast<size_t>(tree_.num_players) + 1, 0);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t old = order[i];
      new_set[old] = i;
      first_history[i] = tree_.first_history[old];
      const auto slots = new_slot.begin() + set_slot_[old];
      std::iota(slots, slots + set_actions_[old], tree_.slot_begin.back());
      tree_.slot_begin.push_back(tree_.slot_begin.back() + set_actions_[old]);
      ++tree_.infoset_begin[set_player_[old] + size_t{1}];
    }
    std::partial_sum(tree_.infoset_begin.begin(), tree_.infoset_begin.end(),
                     tree_.infoset_begin.begin());
    tree_.first_history = std::move(first_history);
    tree_.infoset_size.assign(n, 0);
    if (bad_recall_ != kNone) tree_.imperfect_recall_infoset = new_set[bad_recall_];
    for (size_t h = 0; h < tree_.num_histories(); ++h) {
      if (tree_.actor[h] == kChance || tree_.actor[h] == kTerminal) continue;
      tree_.infoset[h] = new_set[tree_.infoset[h]];
      ++tree_.infoset_size[tree_.infoset[h]];
    }
    for (auto& sequence : tree_.sequence) {
      for (uint32_t& slot : sequence) slot = slot == kNone ? kNone : new_slot[slot];
    }
    return new_slot;
  }

  Tree tree_;
  std::vector<Actor> set_player_;                 // [set as found]
  std::vector<uint32_t> set_slot_, set_actions_;  // [set as found]: first slot, number of actions
  uint32_t num_slots_ = 0;
  uint32_t bad_recall_ = kNone;  // the first set whose player forgets an own move
};

}  // namespace cleave::tree
