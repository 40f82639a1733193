#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/params.h"
#include "poker/betting.h"
#include "poker/betting_rules.h"

namespace cleave::poker {
namespace {

[[noreturn]] void refuse_line(std::string_view line, size_t position,
                              const std::vector<Action>& there) {
  const std::vector<std::string_view> actions = split_line(line);
  std::string names;
  for (const Action& action : there) names += (names.empty() ? "" : ", ") + to_text(action);
  throw core::InputError(fmt::format(
      "line '{}': there is no action '{}' {}; {}", line, actions[position],
      position == 0
          ? std::string("at the beginning")
          : fmt::format("after '{}'",
                        fmt::join(actions.begin(),
                                  actions.begin() + static_cast<std::ptrdiff_t>(position), "/")),
      names.empty() ? "play has ended there" : "there are " + names));
}

// The index of the line's action at `position` among those that are there.
size_t find_action(std::string_view line, size_t position, const std::vector<Action>& there) {
  const std::string_view wanted = split_line(line)[position];
  for (size_t i = 0; i < there.size(); ++i) {
    if (to_text(there[i]) == wanted) return i;
  }
  refuse_line(line, position, there);
}

class Builder {
 public:
  Builder(const Betting& betting, const BuildOptions& options) : options_(options) {
    check_betting(betting);
    tree_.betting = betting;
  }

  BettingTree build() {
    for (const std::string& line : options_.removed) {
      if (split_line(line).empty()) {
        throw core::InputError("a line that is taken out of the tree must have an action in it");
      }
      removals_[0].push_back({line, 0});
    }
    add(0, Action{}, first_situation(betting()));
    for (size_t street = 0; street < betting().streets.size(); ++street) {
      for (; !open_.empty(); open_.pop_front()) expand(open_.front().first, open_.front().second);
      for (const auto& [node, state] : std::exchange(ended_, {})) expand(node, state);
    }
    return std::move(tree_);
  }

 private:
  struct Removal {
    std::string_view line;
    size_t position;  // in the line
  };

  const Betting& betting() const { return tree_.betting; }

  // The children of a decision, or the one of a deal.
  void expand(uint32_t node, const BettingState& state) {
    const bool ends_street = tree_.nodes[node].kind == BettingNode::Kind::kDeal;
    std::vector<Action> actions = {{Action::Kind::kDeal}};
    if (!ends_street) actions = actions_at(betting(), state);
    const std::vector<Removal> passing = remove_from(node, actions);
    tree_.nodes[node].first_child = static_cast<uint32_t>(tree_.nodes.size());
    tree_.nodes[node].num_children = static_cast<uint16_t>(actions.size());
    for (const Removal& removal : passing) {
      const size_t action = find_action(removal.line, removal.position, actions);
      const auto child = static_cast<uint32_t>(tree_.nodes.size() + action);
      removals_[child].push_back({removal.line, removal.position + 1});
    }
    for (const Action& action : actions) {
      add(node, action,
          ends_street ? Situation{BettingNode::Kind::kDecision, deal(betting(), state)}
                      : play(betting(), state, action));
    }
  }

  // Takes out what ends here and returns the removals that go on. Those come last, so that none
  // leads through an action that another one takes out.
  std::vector<Removal> remove_from(uint32_t node, std::vector<Action>& actions) {
    const auto found = removals_.find(node);
    if (found == removals_.end()) return {};
    const std::vector<Removal> removals = std::move(found->second);
    removals_.erase(found);
    const std::vector<Action> all = actions;
    std::vector<Removal> passing;
    for (const Removal& removal : removals) {
      if (removal.position + 1 < split_line(removal.line).size()) {
        passing.push_back(removal);
        continue;
      }
      std::erase(actions, all[find_action(removal.line, removal.position, all)]);
      if (actions.empty()) {
        throw core::InputError(fmt::format(
            "line '{}' cannot be taken out: no other action would be left there", removal.line));
      }
    }
    return passing;
  }

  void add(uint32_t parent, const Action& action, const Situation& situation) {
    if (tree_.nodes.size() >= std::min<size_t>(options_.max_nodes, UINT32_MAX)) {
      throw core::InputError(
          fmt::format("the betting tree has more than {} nodes; fewer or larger sizes, fewer "
                      "raises or smaller stacks make it smaller",
                      options_.max_nodes));
    }
    const auto id = static_cast<uint32_t>(tree_.nodes.size());
    BettingNode node;
    node.kind = situation.kind;
    node.player = situation.state.player;
    node.street = situation.state.street;
    node.parent = parent;
    node.action = action;
    node.put = situation.state.put;
    tree_.nodes.push_back(node);
    if (node.kind == BettingNode::Kind::kDecision) {
      open_.emplace_back(id, situation.state);
    } else if (node.kind == BettingNode::Kind::kDeal) {
      ended_.emplace_back(id, situation.state);
    } else if (const auto found = removals_.find(id); found != removals_.end()) {
      refuse_line(found->second[0].line, found->second[0].position, {});
    }
  }

  const BuildOptions& options_;
  BettingTree tree_;
  std::deque<std::pair<uint32_t, BettingState>> open_;           // decisions of this street
  std::vector<std::pair<uint32_t, BettingState>> ended_;         // deals that follow it
  std::unordered_map<uint32_t, std::vector<Removal>> removals_;  // [node] lines that lead there
};

std::vector<Action> actions_from(const BettingTree& tree, uint32_t node) {
  std::vector<Action> actions;
  const BettingNode& from = tree.nodes[node];
  for (uint32_t i = 0; i < from.num_children; ++i) {
    actions.push_back(tree.nodes[from.first_child + i].action);
  }
  return actions;
}

}  // namespace

const char* to_text(BettingNode::Kind kind) {
  constexpr std::array<const char*, 4> kNames = {"decision", "fold", "showdown", "deal"};
  return kNames[static_cast<size_t>(kind)];
}

BettingTree build_betting_tree(const Betting& betting, const BuildOptions& options) {
  return Builder(betting, options).build();
}

BettingTree::Payoffs BettingTree::payoffs(uint32_t node, int player) const {
  const BettingNode& end = nodes[node];
  assert(end.kind == BettingNode::Kind::kFold || end.kind == BettingNode::Kind::kShowdown);
  // What nobody called goes back first, so that both have put in the same.
  const auto put = static_cast<double>(std::min(end.put[0], end.put[1]));
  const double half = static_cast<double>(betting.pot) / 2 + put;
  double rake = betting.rake * 2 * half;
  if (betting.rake_cap > 0) rake = std::min(rake, static_cast<double>(betting.rake_cap));
  if (end.kind == BettingNode::Kind::kShowdown) return {half - rake, -half, -rake / 2};
  const double value = end.player == player ? -half : half - rake;
  return {value, value, value};
}

double BettingTree::pot_share(const BettingNode& node) const {
  const BettingNode& before = nodes[node.parent];
  const size_t player = before.player;
  const auto call = static_cast<double>(before.put[1 - player] - before.put[player]);
  const double added = static_cast<double>(node.put[player] - before.put[player]) - call;
  return std::max(added, 0.0) / (pot(before) + call);
}

std::vector<std::string_view> split_line(std::string_view line) {
  std::vector<std::string_view> actions;
  if (core::trim(line).empty()) return actions;
  while (true) {
    const size_t end = line.find('/');
    actions.push_back(core::trim(line.substr(0, end)));
    if (end == std::string_view::npos) return actions;
    line.remove_prefix(end + 1);
  }
}

uint32_t find_node(const BettingTree& tree, std::string_view line) {
  uint32_t node = 0;
  const size_t length = split_line(line).size();
  for (size_t i = 0; i < length; ++i) {
    const size_t action = find_action(line, i, actions_from(tree, node));
    node = tree.nodes[node].first_child + static_cast<uint32_t>(action);
  }
  return node;
}

std::string line_of(const BettingTree& tree, uint32_t node) {
  std::vector<std::string> actions;
  for (; node != 0; node = tree.nodes[node].parent) {
    actions.push_back(to_text(tree.nodes[node].action));
  }
  return fmt::format("{}", fmt::join(actions.rbegin(), actions.rend(), "/"));
}

}  // namespace cleave::poker
