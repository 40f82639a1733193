#include "solve/plan_state.h"

namespace cleave::solve {

using tree::Group;

core::Reals uniform_plan_strategy(const tree::Treeplex& plex) {
  core::Reals strategy(plex.num_sequences, 0.0);
  for (const Group& group : plex.groups) {
    std::fill_n(strategy.begin() + group.first_sequence, group.num_actions * group.width,
                1.0 / group.num_actions);
  }
  return strategy;
}

void copy_behaviour(const tree::Tree& tree, const tree::Treeplex& plex,
                    const core::Reals& probabilities, tree::Strategy& strategy) {
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t set = plex.infoset[group.first_position + m];
      if (set == tree::kNone) continue;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        strategy[tree.slot_begin[set] + a] =
            probabilities[group.first_sequence + a * group.width + m];
      }
    }
  }
}

void save_reals(tree::Archive& archive, const std::string& name, size_t player,
                const core::Reals& values) {
  archive.reals[name + std::to_string(player + 1)].assign(values.begin(), values.end());
}

void load_reals(const tree::Archive& archive, const std::string& name, size_t player,
                core::Reals& values) {
  const auto& stored = archive.real(name + std::to_string(player + 1), values.size());
  values.assign(stored.begin(), stored.end());
}

}  // namespace cleave::solve
