#include "histories/cut.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/groups.h"
#include "core/number.h"
#include "histories/piece.h"

namespace cleave::histories {
namespace {

using tree::kChance;
using tree::kNone;
using tree::kTerminal;
using tree::Tree;

// Marks what the seeds pull in: descendants, and whoever shares an information set with a marked
// history. Returns how many histories came in by the latter.
size_t close(const Tree& tree, std::vector<bool>& inside) {
  std::vector<bool> set_inside(tree.num_infosets(), false);
  size_t pulled = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (h > 0 && inside[tree.parent[h]]) inside[h] = true;
      if (inside[h] && tree.actor[h] < 2) set_inside[tree.infoset[h]] = true;
    }
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (inside[h] || tree.actor[h] >= 2 || !set_inside[tree.infoset[h]]) continue;
      inside[h] = true;
      ++pulled;
      changed = true;
    }
  }
  return pulled;
}

template <class Wanted>
std::vector<uint32_t> find_histories(const Tree& tree, const Wanted& wanted) {
  std::vector<uint32_t> found;
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (wanted(h)) found.push_back(h);
  }
  return found;
}

// Those from 1 on at which somebody acts. Throws InputError where there are none.
std::vector<size_t> played_depths(const Tree& tree, std::string_view spec) {
  std::vector<size_t> depths;
  for (size_t d = 1; d + 1 < tree.level_begin.size(); ++d) {
    const auto level = std::span(tree.actor).first(tree.level_begin[d + 1]);
    const auto acts = [](auto actor) { return actor < 2; };
    if (std::ranges::any_of(level.subspan(tree.level_begin[d]), acts)) depths.push_back(d);
  }
  if (!depths.empty()) return depths;
  core::reject("cut '{}': in {} nobody acts after the first move", spec, tree.name);
}

Cut cut_at(const Tree& tree, size_t depth, std::string name) {
  const uint32_t begin = tree.level_begin[depth], end = tree.level_begin[depth + 1];
  const auto wanted = [&](uint32_t h) {
    return h >= begin && h < end && tree.actor[h] != kTerminal;
  };
  return cut_below(tree, find_histories(tree, wanted), std::move(name));
}

// [history]: how many rounds ended on the way: chance's moves after a player's, consecutive ones
// counted once.
std::vector<uint32_t> rounds_ended(const Tree& tree) {
  std::vector<uint32_t> rounds(tree.num_histories(), 0);
  std::vector<bool> played(tree.num_histories(), false);
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const uint32_t parent = tree.parent[h];
    played[h] = played[parent] || tree.actor[parent] < 2;
    const bool ends = tree.actor[h] == kChance && tree.actor[parent] != kChance && played[h];
    rounds[h] = rounds[parent] + (ends ? 1 : 0);
  }
  return rounds;
}

int64_t number_after(std::string_view spec, std::string_view prefix, int64_t low, int64_t high) {
  const std::string text(spec.substr(prefix.size()));
  const auto number = core::parse_number<int64_t>(text);
  if (number && *number >= low && *number <= high) return *number;
  core::reject("cut '{}': allowed is {}{} to {}{}", spec, prefix, low, prefix, high);
}

Cut cut_after_round(const Tree& tree, std::string_view spec) {
  const std::vector<uint32_t> rounds = rounds_ended(tree);
  const uint32_t most = std::ranges::max(rounds);
  if (most == 0) {
    core::reject(
        "cut '{}': in {} chance never moves after a player, so no round ends before the game; use "
        "depth:D or history:...",
        spec, tree.name);
  }
  const auto round = static_cast<uint32_t>(number_after(spec, "round:", 1, most));
  const auto begins = [&](uint32_t h) {
    return h > 0 && rounds[h] == round && rounds[tree.parent[h]] == round - 1;
  };
  return cut_below(tree, find_histories(tree, begins), std::string(spec));
}

Cut cut_at_depth(const Tree& tree, std::string_view spec) {
  const auto deepest = static_cast<int64_t>(played_depths(tree, spec).back());
  const auto depth = static_cast<size_t>(number_after(spec, "depth:", 1, deepest));
  return cut_at(tree, depth, std::string(spec));
}

uint32_t find_history(const games::Game& game, const Tree& tree, std::string_view spec) {
  std::vector<std::byte> state(game.state_bytes());
  std::vector<std::byte> next(game.state_bytes());
  game.root(state.data());
  uint32_t h = 0;
  std::string_view rest = spec.substr(std::string_view("history:").size());
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    const std::string_view label = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    const int actions = game.turn(state.data()).num_actions;
    int action = 0;
    std::string allowed;
    while (action < actions && game.action_label(state.data(), action) != label) {
      allowed += (allowed.empty() ? "" : ", ") + game.action_label(state.data(), action++);
    }
    if (action == actions) {
      core::reject("cut '{}': no action '{}' there; {}", spec, label,
                   actions == 0 ? "the game is over before it" : "allowed are " + allowed);
    }
    game.child(state.data(), action, next.data());
    state.swap(next);
    h = tree.child_begin[h] + static_cast<uint32_t>(action);
  }
  if (tree.actor[h] == kTerminal) core::reject("cut '{}': the game is over there", spec);
  return h;
}

[[noreturn]] void reject_cut(std::string_view spec, std::string_view also) {
  core::reject("there is no cut '{}'; allowed are round:R, depth:D, history:ACTION/ACTION/...{}",
               spec, also);
}

Cut cut_at_history(const games::Game& game, const Tree& tree, std::string_view spec) {
  const uint32_t h = find_history(game, tree, spec);
  const auto alike = [&](uint32_t other) {
    return tree.public_state[other] == tree.public_state[h];
  };
  return cut_below(tree, find_histories(tree, alike), std::string(spec));
}

// In histories.
struct Sizes {
  size_t trunk = 0, largest = 0;
  Sizes(const Tree& tree, const Cut& cut) {
    std::vector<size_t> subgame(cut.roots.size(), 0);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      ++(cut.subgame[h] == kNone ? trunk : subgame[cut.subgame[h]]);
    }
    largest = std::ranges::max(subgame);
  }
};

}  // namespace

Cut cut_below(const Tree& tree, const std::vector<uint32_t>& seeds, std::string name) {
  Cut cut;
  cut.name = std::move(name);
  std::vector<bool> inside(tree.num_histories(), false);
  for (const uint32_t h : seeds) inside[h] = true;
  cut.num_pulled = close(tree, inside);

  std::vector<uint32_t> roots;
  std::vector<uint32_t> root_of(tree.num_histories(), kNone);  // number of the root above
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (!inside[h]) continue;
    if (h > 0 && inside[tree.parent[h]]) {
      root_of[h] = root_of[tree.parent[h]];
    } else {
      root_of[h] = static_cast<uint32_t>(roots.size());
      roots.push_back(h);
    }
  }
  core::Groups groups(roots.size());
  std::vector<uint32_t> first(tree.num_infosets(), kNone);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (!inside[h] || tree.actor[h] >= 2) continue;
    uint32_t& other = first[tree.infoset[h]];
    if (other == kNone) other = root_of[h];
    groups.join(other, root_of[h]);
  }
  const Border border = make_border(tree, roots);
  for (size_t p = 0; p < 2; ++p) {
    std::vector<uint32_t> with_state(border.states[p].size(), kNone);
    for (uint32_t i = 0; i < roots.size(); ++i) {
      uint32_t& other = with_state[border.state_of[p][i]];
      if (other == kNone) other = i;
      groups.join(other, i);
    }
  }
  std::vector<uint32_t> number(roots.size(), kNone);
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const uint32_t lead = groups.find(i);
    if (lead == i) {
      number[i] = static_cast<uint32_t>(cut.roots.size());
      cut.roots.emplace_back();
    }
    number[i] = number[lead];
    cut.roots[number[i]].push_back(roots[i]);
  }
  cut.subgame.assign(tree.num_histories(), kNone);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (inside[h]) cut.subgame[h] = number[root_of[h]];
  }
  return cut;
}

Cut make_cut(const games::Game& game, const Tree& tree, std::string_view spec) {
  if (spec.starts_with("round:")) return cut_after_round(tree, spec);
  if (spec.starts_with("depth:")) return cut_at_depth(tree, spec);
  if (spec.starts_with("history:")) return cut_at_history(game, tree, spec);
  reject_cut(spec, "");
}

std::vector<Cut> make_cuts(const games::Game& game, const Tree& tree, std::string_view spec) {
  if (spec.find(':') == std::string_view::npos && spec != "all") reject_cut(spec, ", all");
  if (spec != "all") return {make_cut(game, tree, spec)};
  std::vector<Cut> cuts;
  for (const size_t depth : played_depths(tree, spec)) {
    cuts.push_back(cut_at(tree, depth, fmt::format("depth:{}", depth)));
  }
  return cuts;
}

std::string describe(const Tree& tree, const Cut& cut) {
  const Sizes sizes(tree, cut);
  const size_t subgames = cut.roots.size();
  return fmt::format("{} subgame{}, the largest {} of {} histories, trunk {}", subgames,
                     subgames == 1 ? "" : "s", sizes.largest, tree.num_histories(), sizes.trunk);
}

std::string remark(const Tree& tree, const Cut& cut) {
  if (5 * Sizes(tree, cut).largest <= 4 * tree.num_histories()) return "";
  return "the game shows little in public here: one piece is most of it";
}

}  // namespace cleave::histories
