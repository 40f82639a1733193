#include "solve/best_response_plan.h"

#include <algorithm>

namespace cleave::solve {

void best_response_plan(const tree::Treeplex& plex, std::span<const double> q,
                        std::span<double> plan, Ties ties) {
  std::ranges::fill(plan, 0.0);
  plan[tree::kEmptySequence] = 1;
  for (const tree::Group& group : plex.groups) {
    const double* values = q.data() + group.first_sequence;
    for (uint32_t m = 0; m < group.width; ++m) {
      if (plan[plex.parent[group.first_position + m]] == 0) continue;
      plan[group.first_sequence + best_action(values, group, m, ties) * group.width + m] = 1;
    }
  }
}

core::ParamInfo ties_param() {
  return {"ties", "first", "the action taken among equally good ones: first or last"};
}

Ties read_ties(core::Params& params) {
  return params.choice("ties", "first", {"first", "last"}) == "first" ? Ties::kFirst : Ties::kLast;
}

}  // namespace cleave::solve
