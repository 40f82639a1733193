#include "histories/summary.h"

namespace cleave::histories {

using tree::kNone;

decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy) {
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) {
    // Parents have smaller numbers than the sets behind them.
    std::vector<double> plan(game.num_slots(), 0.0);
    for (uint32_t set = game.infoset_begin[p]; set < game.infoset_begin[p + 1]; ++set) {
      const uint32_t parent = game.sequence[p][game.first_history[set]];
      const double above = parent == kNone ? 1 : plan[parent];
      for (uint32_t slot = game.slot_begin[set]; slot < game.slot_begin[set + 1]; ++slot) {
        plan[slot] = above * strategy[slot];
      }
    }
    for (const PrivateState& state : border.states[p]) {
      const uint32_t slot = state.acts ? game.sequence[p][game.first_history[state.id]] : state.id;
      reach[p].push_back(slot == kNone ? 1 : plan[slot]);
    }
  }
  return reach;
}

}  // namespace cleave::histories
