#include "tree/public_states.h"

#include <vector>

namespace cleave::tree {
namespace {

// Union-find over the histories of one level.
class Level {
 public:
  void reset(uint32_t first, uint32_t count) {
    first_ = first;
    root_.resize(count);
    for (uint32_t i = 0; i < count; ++i) root_[i] = i;
  }
  uint32_t find(uint32_t h) {
    uint32_t i = h - first_;
    while (root_[i] != i) {
      root_[i] = root_[root_[i]];
      i = root_[i];
    }
    return i + first_;
  }
  // The smaller history leads, so that public states are numbered in the order of histories.
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b) {
      root_[b - first_] = a - first_;
    } else {
      root_[a - first_] = b - first_;
    }
  }

 private:
  uint32_t first_ = 0;
  std::vector<uint32_t> root_;
};

}  // namespace

void find_public_states(Tree& tree) {
  tree.public_state.assign(tree.num_histories(), kNone);
  tree.num_public_states = 0;
  // An augmented information set is the information set where the player acts, else the player's
  // last own slot (or none): numbered sets first, then slots, then "none".
  const size_t num_sets = tree.num_infosets();
  const size_t num_augmented = num_sets + tree.num_slots() + 1;
  std::vector<uint32_t> seen[2];  // [player][augmented set]: last history of it, any level
  for (auto& s : seen) s.assign(num_augmented, kNone);
  Level level;
  for (int d = 0; d < tree.num_levels(); ++d) {
    const uint32_t first = tree.level_begin[static_cast<size_t>(d)];
    const uint32_t end = tree.level_begin[static_cast<size_t>(d) + 1];
    level.reset(first, end - first);
    for (uint32_t h = first; h < end; ++h) {
      if (tree.actor[h] == kTerminal) continue;
      for (size_t p = 0; p < 2; ++p) {
        const uint32_t slot = tree.sequence[p][h];
        const size_t augmented = tree.actor[h] == p ? tree.infoset[h]
                                 : slot == kNone    ? num_augmented - 1
                                                    : num_sets + slot;
        uint32_t& last = seen[p][augmented];
        if (last != kNone && last >= first) level.join(last, h);
        last = h;
      }
    }
    for (uint32_t h = first; h < end; ++h) {
      if (tree.actor[h] == kTerminal) continue;
      const uint32_t lead = level.find(h);
      tree.public_state[h] = lead == h ? tree.num_public_states++ : tree.public_state[lead];
    }
  }
}

}  // namespace cleave::tree
