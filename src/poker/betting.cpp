#include "poker/betting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/params.h"
#include "poker/betting_rules.h"

namespace cleave::poker {
namespace {

// Within these a number is printed without an exponent.
constexpr double kMinValue = 0.01;
constexpr double kMaxValue = 1e9;

class SizesReader {
 public:
  SizesReader(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  Sizes read() {
    Sizes sizes;
    skip_space();
    if (at_end()) return sizes;
    while (true) {
      sizes.push_back(read_size());
      skip_space();
      if (at_end()) return sizes;
      if (text_[position_] != ',') refuse(position_, "expected ',' between sizes");
      ++position_;
      skip_space();
    }
  }

 private:
  [[noreturn]] void refuse(size_t at, std::string_view expected) const {
    throw core::InputError(fmt::format(
        "{}: cannot read '{}' at character {}: {}; sizes are 75% (of the pot), 2.5x (of "
        "the last bet), 100 (chips), e or 2e (geometric), min, any, a (all-in)",
        what_, text_, at + 1, expected));
  }

  bool at_end() const { return position_ == text_.size(); }
  void skip_space() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  std::string read_word() {
    std::string word;
    for (; !at_end() && (std::isalpha(static_cast<unsigned char>(text_[position_])) != 0 ||
                         text_[position_] == '%');
         ++position_) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[position_])));
    }
    return word;
  }

  Size read_size() {
    const size_t begin = position_;
    if (!at_end() && text_[begin] >= '0' && text_[begin] <= '9') return read_number();
    const std::string word = read_word();
    if (word == "a" || word == "allin") return {Size::Kind::kAllIn};
    if (word == "e") return {Size::Kind::kGeometric};
    if (word == "min") return {Size::Kind::kMinimum};
    if (word == "any") return {Size::Kind::kAll};
    refuse(begin, "expected a size");
  }

  Size read_number() {
    const size_t begin = position_;
    Size size;
    const auto [rest, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(),
                                               size.value, std::chars_format::fixed);
    if (error != std::errc() || size.value < kMinValue || size.value > kMaxValue) {
      refuse(begin, fmt::format("expected a number from {} to {:.0f}", kMinValue, kMaxValue));
    }
    position_ = static_cast<size_t>(rest - text_.data());
    const size_t unit = position_;
    const std::string word = read_word();
    const bool whole = size.value == std::floor(size.value);
    if (word == "%") {
      size.kind = Size::Kind::kPot;
    } else if (word == "x") {
      size.kind = Size::Kind::kMultiple;
      if (size.value <= 1) refuse(begin, "expected a multiple above 1");
    } else if (word == "e") {
      size.kind = Size::Kind::kGeometric;
      if (!whole) refuse(begin, "expected a whole number of streets");
    } else if (word.empty()) {
      size.kind = Size::Kind::kChips;
      if (!whole) refuse(begin, "expected a whole number of chips");
    } else {
      refuse(unit, "expected %, x, e or nothing after the number");
    }
    return size;
  }

  std::string_view text_;
  std::string_view what_;
  size_t position_ = 0;
};

std::string size_text(const Size& size) {
  switch (size.kind) {
    case Size::Kind::kPot:
      return fmt::format("{}%", size.value);
    case Size::Kind::kMultiple:
      return fmt::format("{}x", size.value);
    case Size::Kind::kChips:
      return fmt::format("{:.0f}", size.value);
    case Size::Kind::kGeometric:
      return size.value == 0 ? "e" : fmt::format("{:.0f}e", size.value);
    default:
      return size.kind == Size::Kind::kAllIn ? "a" : size.kind == Size::Kind::kAll ? "any" : "min";
  }
}

// Chips stay exact as doubles, sums of a few of them included.
constexpr Chips kMaxChips = Chips{1} << 50;

void refuse_multiples(const Sizes& sizes, size_t street, const char* what) {
  for (const Size& size : sizes) {
    if (size.kind != Size::Kind::kMultiple) continue;
    throw core::InputError(
        fmt::format("{} size '{}' on street {} of the betting: a bet has no bet before it to "
                    "multiply; allowed are %, chips, e, min, any and a",
                    what, to_text({size}), street + 1));
  }
}

[[noreturn]] void refuse_line(std::string_view line, size_t position,
                              const std::vector<Action>& there) {
  const std::vector<std::string_view> actions = split_line(line);
  const std::string names = to_text(there);
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
size_t require_action(std::string_view line, size_t position, const std::vector<Action>& there) {
  const auto found = find_action(there, split_line(line)[position]);
  if (!found) refuse_line(line, position, there);
  return *found;
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
      const size_t action = require_action(removal.line, removal.position, actions);
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
      std::erase(actions, all[require_action(removal.line, removal.position, all)]);
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
    tree_.nodes.push_back({.kind = situation.kind,
                           .player = situation.state.player,
                           .street = situation.state.street,
                           .parent = parent,
                           .action = action,
                           .put = situation.state.put});
    if (situation.kind == BettingNode::Kind::kDecision) {
      open_.emplace_back(id, situation.state);
    } else if (situation.kind == BettingNode::Kind::kDeal) {
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

}  // namespace

Sizes parse_sizes(std::string_view text, std::string_view what) {
  return SizesReader(text, what).read();
}

std::string to_text(const Sizes& sizes) {
  std::string text;
  for (const Size& size : sizes) text += (text.empty() ? "" : ",") + size_text(size);
  return text;
}

void check_betting(const Betting& betting) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw core::InputError(what);
  };
  require(!betting.streets.empty() && betting.streets.size() < 256, "betting needs a street");
  require(betting.pot >= 0 && betting.pot <= kMaxChips, "the pot must be from 0 to 2^50 chips");
  require(betting.min_bet >= 1 && betting.min_bet <= kMaxChips,
          "the smallest bet must be at least 1 chip");
  for (size_t p = 0; p < 2; ++p) {
    require(betting.stack[p] >= 0 && betting.stack[p] <= kMaxChips,
            "a stack must be from 0 to 2^50 chips");
    require(betting.committed[p] >= 0 && betting.committed[p] <= betting.stack[p],
            "a blind must be from 0 to the player's stack");
  }
  require(betting.rake >= 0 && betting.rake <= 1 && betting.rake_cap >= 0,
          "the rake must be from 0 to 1, its cap 0 (none) or more");
  require(betting.add_allin >= 0 && betting.force_allin >= 0 && betting.merge >= 0,
          "thresholds of all-in and merging must be 0 (off) or more");
  for (size_t s = 0; s < betting.streets.size(); ++s) {
    const int first = betting.streets[s].first_player;
    require(first == 0 || first == 1, "the first player of a street must be one of the two");
    for (const StreetSizes& sizes : betting.streets[s].sizes) {
      refuse_multiples(sizes.bet, s, "bet");
      if (sizes.donk) refuse_multiples(*sizes.donk, s, "donk");
    }
  }
}

Betting make_betting(const Definition& definition, const std::optional<Sizes>& sizes) {
  if (definition.limit && sizes) {
    throw core::InputError(fmt::format(
        "'{}' is a limit game: its bet sizes are fixed, no others can be given", definition.name));
  }
  Betting betting;
  betting.stack = definition.stack;
  betting.min_bet = std::max({Chips{1}, definition.blind[0], definition.blind[1]});
  if (definition.blind[0] == definition.blind[1]) {  // antes
    betting.pot = 2 * definition.blind[0];
    for (Chips& stack : betting.stack) stack -= definition.blind[0];
  } else {
    betting.committed = definition.blind;
  }
  StreetSizes all;
  const Sizes given = sizes.value_or(Sizes{{Size::Kind::kAll}});
  all.raise = {given};
  std::copy_if(given.begin(), given.end(), std::back_inserter(all.bet),
               [](const Size& size) { return size.kind != Size::Kind::kMultiple; });
  for (const Definition::Round& round : definition.rounds) {
    betting.streets.push_back({round.first_player,
                               round.max_raises,
                               definition.limit ? round.raise_size : 0,
                               {all, all}});
  }
  return betting;
}

std::string to_text(const Action& action) {
  constexpr std::array<const char*, 7> kNames = {"fold",  "check", "call", "bet",
                                                 "raise", "allin", "deal"};
  const char* name = kNames[static_cast<size_t>(action.kind)];
  const bool sized = action.kind >= Action::Kind::kBet && action.kind <= Action::Kind::kAllIn;
  return sized ? fmt::format("{} {}", name, action.to) : name;
}

std::string to_text(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) text += (text.empty() ? "" : ", ") + to_text(action);
  return text;
}

std::optional<size_t> find_action(const std::vector<Action>& actions, std::string_view text) {
  for (size_t i = 0; i < actions.size(); ++i) {
    if (to_text(actions[i]) == text) return i;
  }
  return std::nullopt;
}

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

std::string line_of(const BettingTree& tree, uint32_t node) {
  std::vector<std::string> actions;
  for (; node != 0; node = tree.nodes[node].parent) {
    actions.push_back(to_text(tree.nodes[node].action));
  }
  return fmt::format("{}", fmt::join(actions.rbegin(), actions.rend(), "/"));
}

}  // namespace cleave::poker
