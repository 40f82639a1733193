#include "histories/action_abstraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/params.h"

namespace cleave::histories {

using tree::Tree;

namespace {

std::vector<std::string> split_labels(std::string_view text) {
  std::vector<std::string> labels;
  while (true) {
    const size_t comma = text.find(',');
    labels.emplace_back(core::trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return labels;
    text.remove_prefix(comma + 1);
  }
}

// One drawn from the middle of a long list would tell less than its beginning.
std::string list_some(const std::set<std::string>& names) {
  constexpr size_t kMost = 24;
  std::string text;
  size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == kMost) return text + fmt::format(" and {} more", names.size() - shown);
    text += (shown++ == 0 ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

ActionAbstraction keep_slots(const Tree& game, std::vector<bool> kept_slot, std::string name) {
  ActionAbstraction result{std::move(name), std::move(kept_slot),
                           std::vector<bool>(game.num_histories(), true)};
  for (uint32_t set = 0; set < game.num_infosets(); ++set) {
    const auto first = result.kept_slot.begin() + game.slot_begin[set];
    const auto end = result.kept_slot.begin() + game.slot_begin[set + 1];
    if (std::find(first, end, true) == end) {
      throw core::InputError(
          fmt::format("abstraction '{}': player {} would have no move left at information set {} "
                      "of {}; every set must keep one",
                      result.name, game.player(set) + 1, set + 1, game.name));
    }
  }
  for (uint32_t h = 1; h < game.num_histories(); ++h) {
    if (game.actor[game.parent[h]] < 2) result.kept[h] = result.kept_slot[game.slot_into(h)];
  }
  return result;
}

ActionAbstraction drop_actions(const games::Game& game, const Tree& tree, std::string_view labels) {
  const tree::Labels known = tree::make_labels(game, tree);
  const std::set<std::string> names(known.action.begin(), known.action.end());
  const std::vector<std::string> wanted = split_labels(labels);
  for (const std::string& label : wanted) {
    if (names.contains(label)) continue;
    throw core::InputError(
        fmt::format("no player of {} has a move '{}' that could be dropped; there are {}",
                    tree.name, label, list_some(names)));
  }
  std::vector<bool> kept(tree.num_slots(), true);
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    bool any = false;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      kept[slot] = std::ranges::find(wanted, known.action[slot]) == wanted.end();
      any = any || kept[slot];
    }
    if (any) continue;
    throw core::InputError(fmt::format(
        "without {} player {} of {} would have no move left at information set '{}'; every set "
        "must keep one",
        labels, tree.player(set) + 1, tree.name, known.infoset[set]));
  }
  return keep_slots(tree, std::move(kept), fmt::format("without {}", labels));
}

SmallGame make_small_game(const Tree& game, const ActionAbstraction& abstraction,
                          std::optional<size_t> player) {
  tree::Recipe recipe;
  recipe.name = fmt::format("{} of {}", abstraction.name, game.name);
  recipe.keeps = [&](uint32_t child) {
    const tree::Actor actor = game.actor[game.parent[child]];
    return abstraction.kept[child] || (player && actor != *player);
  };
  tree::Derived derived = tree::derive(game, recipe);
  return {.problem = solve::make_problem(std::move(derived.tree)),
          .source = std::move(derived.source),
          .source_slot = std::move(derived.source_slot)};
}

tree::Strategy expand_strategy(const Tree& game, const ActionAbstraction& abstraction,
                               const SmallGame& small, const tree::Strategy& strategy) {
  tree::Strategy large(game.num_slots(), 0.0);
  std::vector<bool> has_set(game.num_infosets(), false);
  const Tree& tree = small.problem.tree;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    has_set[game.infoset[small.source[tree.first_history[set]]]] = true;
  }
  for (size_t slot = 0; slot < strategy.size(); ++slot) {
    large[small.source_slot[slot]] = strategy[slot];
  }
  for (uint32_t set = 0; set < game.num_infosets(); ++set) {
    if (has_set[set]) continue;
    double kept = 0;
    for (uint32_t slot = game.slot_begin[set]; slot < game.slot_begin[set + 1]; ++slot) {
      kept += abstraction.kept_slot[slot] ? 1 : 0;
    }
    for (uint32_t slot = game.slot_begin[set]; slot < game.slot_begin[set + 1]; ++slot) {
      large[slot] = abstraction.kept_slot[slot] ? 1 / kept : 0;
    }
  }
  return large;
}

}  // namespace cleave::histories
