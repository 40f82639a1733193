#include "tree/tree.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::tree {

size_t num_ended_slots(const Tree& tree) {
  std::vector<bool> ends(tree.num_slots());
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const bool ends_here = tree.actor[h] == kTerminal && tree.actor[tree.parent[h]] != kChance;
    if (ends_here) ends[tree.slot_into(h)] = true;
  }
  return static_cast<size_t>(std::ranges::count(ends, true));
}

size_t Tree::bytes() const {
  const auto bytes_of = [](const auto&... v) { return ((v.capacity() * sizeof(v[0])) + ...); };
  size_t total = bytes_of(parent, child_begin, actor, infoset, probability, level_begin, payoff,
                          public_state, slot_begin, first_history, infoset_begin);
  for (const auto& s : sequence) total += bytes_of(s);
  return total;
}

core::Hash128 Tree::fingerprint() const {
  core::Hasher hasher;
  const auto add = [&](const auto&... v) { (hasher.add_bytes(std::as_bytes(std::span(v))), ...); };
  hasher.add(static_cast<uint64_t>(num_players));
  add(child_begin, actor, infoset, probability, payoff, slot_begin, infoset_begin);
  return hasher.finish();
}

void require_solvable(const Tree& tree, const games::Game& game, const std::string& who) {
  if (tree.num_players != 2) {
    core::reject("{} needs a game of two players; {} has {}", who, tree.name, tree.num_players);
  }
  if (!tree.constant_sum()) {
    core::reject(
        "{} needs a zero-sum (or constant-sum) game; in {} the payoffs of a terminal history sum "
        "to anything from {:g} to {:g}",
        who, tree.name, tree.payoff_sum_low, tree.payoff_sum_high);
  }
  if (!tree.perfect_recall()) {
    std::string label;
    const uint32_t h = tree.first_history[tree.imperfect_recall_infoset];
    replay(game, tree, std::span(&h, 1),
           [&](uint32_t, const std::byte* state) { label = game.infoset_label(state); });
    core::reject(
        "{} needs perfect recall; in {} player {} forgets an own earlier move at information set "
        "'{}'",
        who, tree.name, tree.player(tree.imperfect_recall_infoset) + 1, label);
  }
}

std::vector<uint32_t> path_to(const Tree& tree, uint32_t history) {
  std::vector<uint32_t> path;
  for (uint32_t h = history; h != kNone; h = tree.parent[h]) path.push_back(h);
  std::ranges::reverse(path);
  return path;
}

void replay(const games::Game& game, const Tree& tree, std::span<const uint32_t> histories,
            const std::function<void(uint32_t, const std::byte*)>& visit) {
  // The states on the way to the last history visited: neighbours share most of their path.
  const size_t stride = game.state_bytes();
  std::vector<std::byte> states(stride);
  std::vector<uint32_t> path{0};
  game.root(states.data());
  for (const uint32_t h : histories) {
    std::vector<uint32_t> way = path_to(tree, h);
    size_t shared = 1;
    while (shared < path.size() && shared < way.size() && path[shared] == way[shared]) ++shared;
    states.resize(way.size() * stride);
    for (size_t i = shared; i < way.size(); ++i) {
      game.child(states.data() + (i - 1) * stride, static_cast<int>(tree.action(way[i])),
                 states.data() + i * stride);
    }
    visit(h, states.data() + (way.size() - 1) * stride);
    path = std::move(way);
  }
}

Labels make_labels(const games::Game& game, const Tree& tree) {
  Labels labels;
  labels.infoset.resize(tree.num_infosets());
  labels.action.resize(tree.num_slots());
  replay(game, tree, tree.first_history, [&](uint32_t h, const std::byte* state) {
    const uint32_t set = tree.infoset[h];
    labels.infoset[set] = game.infoset_label(state);
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      labels.action[tree.slot_begin[set] + a] = game.action_label(state, static_cast<int>(a));
    }
  });
  return labels;
}

}  // namespace cleave::tree
