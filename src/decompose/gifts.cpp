#include "decompose/gifts.h"

#include <algorithm>
#include <limits>

#include "solve/evaluate.h"
#include "solve/passes.h"

namespace cleave::decompose {

using tree::Group;
using tree::kNone;
using tree::Tree;

GiftFinder::GiftFinder(const CutGame& game, const tree::Strategy& strategy,
                       const std::vector<Summary>& summaries, int opponent)
    : game_(game), opponent_(static_cast<size_t>(opponent)) {
  const Tree& tree = game.game.tree;
  set_of_slot_.resize(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    std::fill(set_of_slot_.begin() + tree.slot_begin[set],
              set_of_slot_.begin() + tree.slot_begin[set + 1], set);
  }
  for (const Summary& summary : summaries) reach_.push_back(summary.reach);
  find_values(strategy, summaries);
  find_reach_and_bounds(strategy);
}

// A best response in the trunk, with best-response values at the leaves.
void GiftFinder::find_values(const tree::Strategy& strategy,
                             const std::vector<Summary>& summaries) {
  const Piece& trunk = game_.trunk;
  const solve::Problem& problem = trunk.problem;
  const size_t hero = 1 - opponent_;
  tree::Strategy trunk_strategy(problem.tree.num_slots(), 1.0);  // entry sets have one action
  for (size_t slot = 0; slot < trunk_strategy.size(); ++slot) {
    if (trunk.source_slot[slot] != kNone) trunk_strategy[slot] = strategy[trunk.source_slot[slot]];
  }
  solve::Workspace work(problem);
  tree::plan_from_strategy(problem.tree, problem.form.player[hero], trunk_strategy,
                           work.plan[hero]);
  core::Reals& q = work.q[opponent_];
  problem.form.payoff[opponent_].multiply(work.plan[hero].data(), q.data(), 1);
  for (size_t leaf = 0; leaf < summaries.size(); ++leaf) {
    const auto& sequences = trunk.leaf_sequence[leaf][opponent_];
    for (size_t s = 0; s < sequences.size(); ++s) {
      q[sequences[s]] += summaries[leaf].best_response[opponent_][s];
    }
  }
  const tree::Treeplex& plex = problem.form.player[opponent_];
  solve::ascend(plex, 1, q.data(), work.value.data(), [&](const Group& group, double* value) {
    kernels::maximise_group(group.num_actions, group.width, q.data() + group.first_sequence, value);
  });
  value_.assign(game_.game.tree.num_slots(), 0.0);
  for (uint32_t slot = plex.first_slot;
       slot < plex.first_slot + static_cast<uint32_t>(plex.sequence_of_slot.size()); ++slot) {
    if (trunk.source_slot[slot] != kNone) value_[trunk.source_slot[slot]] = q[plex.sequence(slot)];
  }
}

// rho(I') = sum over h in I' of chance's and the hero's reach; guaranteed(I') = max over actions b
// of the sum over h in I' of that reach times the smallest payoff that can follow h, b.
void GiftFinder::find_reach_and_bounds(const tree::Strategy& strategy) {
  const Tree& tree = game_.game.tree;
  const double sign = opponent_ == 0 ? 1 : -1;
  std::vector<double> reach(tree.num_histories(), 1.0);
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const uint32_t parent = tree.parent[h];
    const bool hero_acts = tree.actor[parent] == 1 - opponent_;
    reach[h] = reach[parent] * tree.probability[h] *
               (hero_acts ? strategy[tree.slot_begin[tree.infoset[parent]] + tree.action(h)] : 1.0);
  }
  std::vector<double> least(tree.num_histories(), std::numeric_limits<double>::infinity());
  for (uint32_t h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    if (tree.actor[h] == tree::kTerminal) least[h] = sign * tree.payoff[tree.infoset[h]];
    if (h > 0) least[tree.parent[h]] = std::min(least[tree.parent[h]], least[h]);
  }
  rho_.assign(tree.num_infosets(), 0.0);
  std::vector<double> after(tree.num_slots(), 0.0);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] != opponent_ || game_.cut.subgame[h] != kNone) continue;
    rho_[tree.infoset[h]] += reach[h];
    for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
      after[tree.slot_begin[tree.infoset[h]] + tree.action(c)] += reach[h] * least[c];
    }
  }
  guaranteed_.assign(tree.num_infosets(), 0.0);
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    guaranteed_[set] = *std::max_element(after.begin() + tree.slot_begin[set],
                                         after.begin() + tree.slot_begin[set + 1]);
  }
}

std::vector<std::vector<Gift>> GiftFinder::at(size_t subgame) const {
  const Tree& tree = game_.game.tree;
  const Piece& piece = game_.subgames[subgame];
  const auto& states = piece.root.states[opponent_];
  std::vector<double> rho(states.size(), 0.0);
  for (size_t i = 0; i < piece.root.histories.size(); ++i) {
    rho[piece.root.state_of[opponent_][i]] +=
        piece.chance[i] * reach_[subgame][1 - opponent_][piece.root.state_of[1 - opponent_][i]];
  }
  const auto visit_path = [&](const PrivateState& state, const auto& visit) {
    uint32_t slot = state.acts ? tree.sequence[opponent_][tree.first_history[state.id]] : state.id;
    while (slot != kNone) {
      const uint32_t set = set_of_slot_[slot];
      visit(set, slot);
      slot = tree.sequence[opponent_][tree.first_history[set]];
    }
  };
  std::vector<uint32_t> leads_to(tree.num_infosets(), 0);
  for (const PrivateState& state : states) {
    visit_path(state, [&](uint32_t set, uint32_t) { ++leads_to[set]; });
  }
  std::vector<std::vector<Gift>> gifts(states.size());
  for (size_t s = 0; s < states.size(); ++s) {
    visit_path(states[s], [&](uint32_t set, uint32_t slot) {
      if (rho_[set] <= 0) return;
      const double best = *std::max_element(value_.begin() + tree.slot_begin[set],
                                            value_.begin() + tree.slot_begin[set + 1]);
      gifts[s].push_back({.gain = std::max(0.0, best - value_[slot]) / rho_[set],
                          .bound = std::max(0.0, guaranteed_[set] - value_[slot]) / rho_[set],
                          .reach = rho[s] / rho_[set],
                          .sole = leads_to[set] == 1});
    });
  }
  return gifts;
}

}  // namespace cleave::decompose
