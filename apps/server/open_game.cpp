#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "fmt/format.h"
#include "server/game_cache.h"

namespace cleave::server {
namespace {

using tree::kChance;
using tree::kTerminal;

// Far more than a million histories may stand below a few moves of chance, so they are counted
// before any are stored.
void refuse_large_game(const std::string& name, const games::Game& game) {
  const size_t stride = game.state_bytes();
  std::vector<std::byte> states(stride);
  game.root(states.data());
  std::vector<std::pair<int, int>> open = {{0, game.turn(states.data()).num_actions}};
  size_t count = 1;
  while (!open.empty()) {
    auto& [action, end] = open.back();
    if (action == end) {
      open.pop_back();
      continue;
    }
    if (action == 0) count += static_cast<size_t>(end);
    if (count > OpenGame::kMostHistories) {
      throw core::InputError(
          fmt::format("{} has more than a million histories, too many to show; use smaller "
                      "parameters, or the command line (`cleave solve`)",
                      name));
    }
    const size_t depth = open.size();
    states.resize((depth + 1) * stride);
    game.child(states.data() + (depth - 1) * stride, action++, states.data() + depth * stride);
    open.emplace_back(0, game.turn(states.data() + depth * stride).num_actions);
  }
}

// Messages of the library call a file's game by its path.
std::string with_name(std::string text, const std::string& path, const std::string& name) {
  for (size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    text.replace(at, path.size(), name);
    at += name.size();
  }
  return text;
}

// [history]: the reach of each player and of chance (last).
std::array<std::vector<double>, 3> reach_of(const tree::Tree& tree,
                                            const tree::Strategy& strategy) {
  std::array<std::vector<double>, 3> reach;
  for (auto& one : reach) one.assign(tree.num_histories(), 1);
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const uint32_t above = tree.parent[h];
    for (auto& one : reach) one[h] = one[above];
    const tree::Actor actor = tree.actor[above];
    if (actor == kChance) {
      reach[2][h] *= tree.probability[h];
    } else {
      reach[actor][h] *= strategy[tree.slot_begin[tree.infoset[above]] + tree.action(h)];
    }
  }
  return reach;
}

std::vector<double> values_of(const tree::Tree& tree, const tree::Strategy& strategy) {
  std::vector<double> value(tree.num_histories(), 0);
  for (auto h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    if (tree.actor[h] == kTerminal) {
      value[h] = tree.payoff[tree.infoset[h]] + tree.shift;
      continue;
    }
    for (uint32_t child = tree.child_begin[h]; child < tree.child_begin[h + 1]; ++child) {
      const double step =
          tree.actor[h] == kChance
              ? tree.probability[child]
              : strategy[tree.slot_begin[tree.infoset[h]] + child - tree.child_begin[h]];
      value[h] += step * value[child];
    }
  }
  return value;
}

// Sums over the histories of each information set, weighted by the others' reach, then divided.
void add_set_values(const tree::Tree& tree, const tree::Strategy& strategy,
                    const std::vector<double>& others, Worth& worth) {
  worth.action_value.assign(tree.num_slots(), 0);
  worth.set_value.assign(tree.num_infosets(), 0);
  std::vector<double> weight(tree.num_infosets(), 0);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] > 1) continue;
    const uint32_t set = tree.infoset[h];
    weight[set] += others[h];
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      const double value = worth.value[tree.child_begin[h] + a];
      worth.action_value[tree.slot_begin[set] + a] +=
          others[h] * (tree.actor[h] == 0 ? value : tree.payoff_sum_low - value);
    }
  }
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    // What player 2 gets is known only where the sum is.
    const bool known = weight[set] > 0 && (tree.player(set) == 0 || tree.constant_sum());
    const double divisor = known ? weight[set] : std::numeric_limits<double>::quiet_NaN();
    worth.best[set] = worth.best[set] / divisor + tree.shift;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      worth.action_value[slot] /= divisor;
      worth.set_value[set] += strategy[slot] * worth.action_value[slot];
    }
  }
}

}  // namespace

OpenGame::OpenGame(std::string name, std::unique_ptr<games::Game> game)
    : name_(std::move(name)), game_(std::move(game)) {
  if (game_->num_players() != 2) {
    throw core::InputError(
        fmt::format("{} has {} players; only games of two can be shown and solved here", name_,
                    game_->num_players()));
  }
  refuse_large_game(name_, *game_);
  tree::Tree tree = tree::compile(*game_);
  try {
    tree::require_solvable(tree, *game_, "solving");
    problem_ = solve::make_problem(std::move(tree));
  } catch (const core::InputError& error) {
    refusal_ = with_name(error.what(), game_->name(), name_);
    problem_.tree = std::move(tree);
  }
}

const solve::Problem& OpenGame::problem() const {
  if (!solvable()) throw core::InputError(refusal_);
  return problem_;
}

const tree::Labels& OpenGame::labels() const {
  const std::lock_guard lock(mutex_);
  if (!labels_) labels_ = tree::make_labels(*game_, tree());
  return *labels_;
}

void OpenGame::list_members() const {
  const tree::Tree& t = tree();
  member_begin_.assign(1, 0);
  for (const uint32_t size : t.infoset_size) member_begin_.push_back(member_begin_.back() + size);
  member_.resize(member_begin_.back());
  std::vector<uint32_t> next(member_begin_.begin(), member_begin_.end() - 1);
  for (uint32_t h = 0; h < t.num_histories(); ++h) {
    if (t.actor[h] < 2) member_[next[t.infoset[h]]++] = h;
  }
}

std::span<const uint32_t> OpenGame::members(uint32_t set) const {
  const std::lock_guard lock(mutex_);
  if (member_begin_.empty()) list_members();
  return std::span(member_).subspan(member_begin_[set],
                                    member_begin_[set + 1] - member_begin_[set]);
}

std::shared_ptr<const decompose::Cut> OpenGame::cut(const std::string& spec) const {
  const std::lock_guard lock(mutex_);
  for (auto at = cuts_.begin(); at != cuts_.end(); ++at) {
    if (at->first != spec) continue;
    cuts_.splice(cuts_.begin(), cuts_, at);
    return at->second;
  }
  try {
    auto made = std::make_shared<const decompose::Cut>(decompose::make_cut(*game_, tree(), spec));
    cuts_.emplace_front(spec, made);
    if (cuts_.size() > kMostCuts) cuts_.pop_back();
    return made;
  } catch (const core::InputError& error) {
    throw core::InputError(with_name(error.what(), game_->name(), name_));
  }
}

// Rounds as many as there are, and the first few depths, where somebody acts below the cut.
void OpenGame::list_cuts() const {
  constexpr int kMostDepth = 5;
  constexpr int kMostRounds = 16;
  cut_names_.emplace();
  const tree::Tree& t = tree();
  const auto consider = [&](const std::string& spec) {
    try {
      const decompose::Cut found = decompose::make_cut(*game_, t, spec);
      for (uint32_t h = 0; h < t.num_histories(); ++h) {
        if (t.actor[h] > 1 || found.subgame[h] == tree::kNone) continue;
        cut_names_->push_back(spec);
        break;
      }
    } catch (const core::InputError&) {
      return false;
    }
    return true;
  };
  for (int round = 1; round <= kMostRounds; ++round) {
    if (!consider(fmt::format("round:{}", round))) break;
  }
  for (int depth = 1; depth <= kMostDepth; ++depth) {
    if (!consider(fmt::format("depth:{}", depth))) break;
  }
}

const std::vector<std::string>& OpenGame::cuts() const {
  const std::lock_guard lock(mutex_);
  if (!cut_names_) list_cuts();
  return *cut_names_;
}

std::vector<uint32_t> OpenGame::path(uint32_t history) const {
  std::vector<uint32_t> path;
  for (uint32_t h = history; h != tree::kNone; h = tree().parent[h]) path.push_back(h);
  std::ranges::reverse(path);
  return path;
}

std::vector<std::vector<std::string>> OpenGame::lines(std::span<const uint32_t> histories) const {
  std::vector<std::vector<std::string>> out;
  for (const uint32_t history : histories) {
    const std::vector<uint32_t> way = path(history);
    out.emplace_back();
    tree::replay(*game_, tree(), std::span(way).first(way.size() - 1),
                 [&](uint32_t h, const std::byte* state) {
                   const uint32_t child = way[out.back().size() + 1];
                   const auto action = static_cast<int>(child - tree().child_begin[h]);
                   out.back().push_back(game_->action_label(state, action));
                 });
  }
  return out;
}

Worth make_worth(const OpenGame& game, const tree::Strategy& strategy) {
  const tree::Tree& tree = game.tree();
  Worth worth;
  worth.value = values_of(tree, strategy);
  auto reach = reach_of(tree, strategy);
  worth.reach.resize(tree.num_histories());
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    worth.reach[h] = reach[0][h] * reach[1][h] * reach[2][h];
  }
  for (const uint32_t h : tree.first_history) worth.own_reach.push_back(reach[tree.actor[h]][h]);
  worth.best.assign(tree.num_infosets(), std::numeric_limits<double>::quiet_NaN());
  if (game.solvable()) {
    for (int player = 0; player < 2; ++player) {
      const auto best = solve::counterfactual_best_response(game.problem(), player, strategy);
      std::ranges::copy(best, worth.best.begin() + tree.infoset_begin[static_cast<size_t>(player)]);
    }
  }
  // At a player's own history the others are chance and the other player.
  std::vector<double>& others = reach[2];
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2) others[h] *= reach[1 - tree.actor[h]][h];
  }
  add_set_values(tree, strategy, others, worth);
  return worth;
}

}  // namespace cleave::server
