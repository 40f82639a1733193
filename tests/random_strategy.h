#pragma once

#include "core/random.h"
#include "tree/strategy.h"

namespace cleave {

// Random behaviour at every information set; about one action in four has probability zero.
inline tree::Strategy random_strategy(const tree::Tree& tree, uint64_t seed) {
  core::Random random(seed);
  tree::Strategy strategy(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    double sum = 0;
    for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
      strategy[s] = random.below(4) == 0 ? 0 : random.uniform();
      sum += strategy[s];
    }
    for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
      strategy[s] = sum > 0 ? strategy[s] / sum : 1.0 / tree.num_actions(set);
    }
  }
  return strategy;
}

}  // namespace cleave
