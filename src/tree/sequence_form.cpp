#include "tree/sequence_form.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "tree/payoff_builder.h"

namespace cleave::tree {
namespace {

// Orders the information sets of one player into groups. `component` says, per slot, in which part
// of the payoff matrix the game may end after it: sets that end together stand together, so that a
// block's rows are close in memory.
Treeplex make_treeplex(const Tree& tree, size_t player, const std::vector<uint32_t>& component) {
  Treeplex plex;
  const uint32_t begin = tree.infoset_begin[player];
  const uint32_t end = tree.infoset_begin[player + 1];
  plex.first_slot = tree.slot_begin[begin];
  plex.sequence_of_slot.resize(tree.slot_begin[end] - plex.first_slot);

  const auto& own = tree.sequence[player];
  std::vector<uint32_t> set_of_slot(plex.sequence_of_slot.size());
  std::vector<uint32_t> level(end - begin);
  std::vector<uint32_t> key(end - begin);
  for (uint32_t set = begin; set < end; ++set) {
    key[set - begin] = kNone;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      set_of_slot[slot - plex.first_slot] = set;
      key[set - begin] = std::min(key[set - begin], component[slot]);
    }
  }
  // A set's parent was found at an earlier level of the tree, so it has a smaller number.
  for (uint32_t set = begin; set < end; ++set) {
    const uint32_t slot = own[tree.first_history[set]];
    level[set - begin] = slot == kNone ? 0 : level[set_of_slot[slot - plex.first_slot] - begin] + 1;
  }
  std::vector<uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  const auto rank = [&](uint32_t set) {
    return std::tuple(level[set - begin], tree.num_actions(set), key[set - begin], set);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });

  uint32_t next_sequence = 2 * kernels::kLanes;  // the two special sequences, padded
  for (size_t i = 0; i < order.size();) {
    const auto [set_level, actions, unused_key, unused_set] = rank(order[i]);
    size_t j = i;
    while (j < order.size() && j - i < kGroupWidth && level[order[j] - begin] == set_level &&
           tree.num_actions(order[j]) == actions) {
      ++j;
    }
    while (plex.level_begin.size() <= set_level) {
      plex.level_begin.push_back(static_cast<uint32_t>(plex.groups.size()));
    }
    const auto width =
        static_cast<uint32_t>((j - i + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes);
    const Group group{actions, width, static_cast<uint32_t>(plex.infoset.size()), next_sequence};
    for (size_t m = 0; m < width; ++m) {
      const uint32_t set = i + m < j ? order[i + m] : kNone;
      plex.infoset.push_back(set);
      if (set == kNone) {
        plex.parent.push_back(kPadSequence);
        continue;
      }
      plex.parent.push_back(plex.sequence(own[tree.first_history[set]]));
      for (uint32_t a = 0; a < actions; ++a) {
        plex.sequence_of_slot[tree.slot_begin[set] + a - plex.first_slot] =
            next_sequence + a * width + static_cast<uint32_t>(m);
      }
    }
    next_sequence += actions * width;
    plex.groups.push_back(group);
    i = j;
  }
  plex.level_begin.push_back(static_cast<uint32_t>(plex.groups.size()));
  plex.num_sequences = next_sequence;
  return plex;
}

}  // namespace

SequenceForm make_sequence_form(const Tree& tree) {
  PayoffBuilder builder(tree);
  SequenceForm form;
  for (size_t p = 0; p < 2; ++p) {
    form.player[p] = make_treeplex(tree, p, builder.component_of_slot());
  }
  form.payoff = builder.build(form.player);
  return form;
}

size_t SequenceForm::bytes() const {
  size_t total = 0;
  for (const Treeplex& plex : player) {
    total += plex.groups.size() * sizeof(Group) +
             (plex.parent.size() + plex.infoset.size() + plex.sequence_of_slot.size()) *
                 sizeof(uint32_t);
  }
  for (const PayoffMatrix& matrix : payoff) total += matrix.bytes();
  return total;
}

}  // namespace cleave::tree
