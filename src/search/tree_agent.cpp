#include "search/tree_agent.h"

#include "histories/profile.h"

namespace cleave::search {

void TreeAgent::act(const door::Question& question, std::span<double> probabilities) {
  door::Standing unknown;
  const uint32_t set = game_.sight().find(question, unknown);
  if (set == tree::kNone) throw core::RunError("asked at the table of another game");
  act_at(set, probabilities);
}

std::shared_ptr<const decompose::Profile> TreeAgent::complete() {
  tree::Strategy strategy(tree_.num_slots());
  // Numbered by player, then by level: parents come first.
  for (uint32_t set = 0; set < tree_.num_infosets(); ++set) {
    act_at(set, std::span(strategy).subspan(tree_.slot_begin[set], tree_.num_actions(set)));
  }
  return std::make_shared<histories::TreeProfile>(std::move(strategy));
}

}  // namespace cleave::search
