#pragma once

#include "poker/betting.h"

namespace cleave::poker {

// The node that a line of actions leads to: the other way round than line_of.
inline uint32_t find_node(const BettingTree& tree, std::string_view line) {
  uint32_t node = 0;
  for (const std::string_view step : split_line(line)) {
    std::vector<Action> actions;
    const BettingNode& from = tree.nodes[node];
    for (uint32_t i = 0; i < from.num_children; ++i) {
      actions.push_back(tree.nodes[from.first_child + i].action);
    }
    node = from.first_child + static_cast<uint32_t>(find_action(actions, step).value());
  }
  return node;
}

}  // namespace cleave::poker
