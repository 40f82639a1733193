#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "games/game.h"

namespace cleave::games {

// What an enumeration of a game finds. It shares no code with the tree engine on purpose.
struct WalkResult {
  int64_t histories = 0;
  int64_t terminals = 0;
  int64_t chance_nodes = 0;
  int max_depth = 0;
  std::array<int64_t, 2> infosets{};  // by label
  std::vector<std::string> errors;    // the first few; empty if the game keeps its contract

  int64_t all_infosets() const { return infosets[0] + infosets[1]; }
};

struct KeyHash {
  size_t operator()(const core::Hash128& key) const { return key.lo; }
};

// Depth-first over all histories with every check of the Game contract: labels and keys give the
// same partition, chance sums to exactly one, action labels are unique and constant within an
// information set, payoffs sum to zero, and players never forget (the sequence of own information
// sets and actions is the same at all states of an information set).
class Walker {
 public:
  explicit Walker(const Game& game) : game_(game) {}

  WalkResult run() {
    std::vector<std::byte> state(game_.state_bytes());
    game_.root(state.data());
    visit(state, 0, {"", ""});
    for (int player = 0; player < 2; ++player) {
      result_.infosets[player] = static_cast<int64_t>(sets_[player].size());
      if (sets_[player].size() != label_of_key_[player].size()) error("more keys than labels");
    }
    return result_;
  }

 private:
  struct Infoset {
    core::Hash128 key;
    std::vector<std::string> actions;
    std::string recall;
  };

  void error(const std::string& text) {
    if (result_.errors.size() < 5) result_.errors.push_back(text);
  }

  void visit(const std::vector<std::byte>& state, int depth,
             const std::array<std::string, 2>& recall) {
    ++result_.histories;
    result_.max_depth = std::max(result_.max_depth, depth);
    const Turn turn = game_.turn(state.data());
    if (turn.actor == kTerminal) return visit_terminal(state, turn);
    if (turn.num_actions < 1) return error("a state without actions is not terminal");

    std::vector<std::string> actions;
    for (int a = 0; a < turn.num_actions; ++a) {
      actions.push_back(game_.action_label(state.data(), a));
      check_text(actions.back());
    }
    if (std::set<std::string>(actions.begin(), actions.end()).size() != actions.size()) {
      error("action labels repeat at one state");
    }
    std::string label;
    if (turn.actor == kChance) {
      visit_chance(state, turn);
    } else if (turn.actor < 2) {
      label = visit_infoset(state, turn.actor, actions, recall[turn.actor]);
    } else {
      return error("an actor that is neither a player nor chance");
    }

    const std::vector<std::byte> before = state;
    std::vector<std::byte> next(state.size());
    for (int a = 0; a < turn.num_actions; ++a) {
      game_.child(state.data(), a, next.data());
      std::array<std::string, 2> child_recall = recall;
      if (turn.actor < 2) child_recall[turn.actor] += label + " " + actions[a] + ";";
      visit(next, depth + 1, child_recall);
    }
    if (state != before) error("child() changed its parent");
  }

  void visit_terminal(const std::vector<std::byte>& state, const Turn& turn) {
    ++result_.terminals;
    if (turn.num_actions != 0) error("a terminal state with actions");
    if (game_.payoff(state.data(), 0) + game_.payoff(state.data(), 1) != core::Rational(0)) {
      error("payoffs do not sum to zero");
    }
  }

  void visit_chance(const std::vector<std::byte>& state, const Turn& turn) {
    ++result_.chance_nodes;
    core::Rational sum = 0;
    for (int a = 0; a < turn.num_actions; ++a) {
      const core::Rational probability = game_.chance_probability(state.data(), a);
      if (probability.sign() <= 0) error("a chance probability is not positive");
      sum += probability;
    }
    if (sum != core::Rational(1)) error("chance probabilities sum to " + sum.to_string());
  }

  std::string visit_infoset(const std::vector<std::byte>& state, int player,
                            const std::vector<std::string>& actions, const std::string& recall) {
    const std::string label = game_.infoset_label(state.data());
    const core::Hash128 key = game_.infoset_key(state.data());
    check_text(label);
    const auto [by_label, new_label] =
        sets_[player].try_emplace(label, Infoset{key, actions, recall});
    const auto [by_key, new_key] = label_of_key_[player].try_emplace(key, label);
    const Infoset& set = by_label->second;
    if (new_label != new_key) error("keys and labels differ at '" + label + "'");
    if (!(set.key == key)) error("two keys have the label '" + label + "'");
    if (by_key->second != label) error("one key has the labels '" + label + "' and another");
    if (set.actions != actions) error("actions differ within '" + label + "'");
    if (set.recall != recall) error("no perfect recall at '" + label + "'");
    return label;
  }

  // What goes unquoted into a .csv file and quoted into an .efg file.
  void check_text(const std::string& text) {
    if (text.empty() || text.find_first_of(",\"\\\n") != std::string::npos) {
      error("unfit label '" + text + "'");
    }
  }

  const Game& game_;
  WalkResult result_;
  std::array<std::unordered_map<std::string, Infoset>, 2> sets_;
  std::array<std::unordered_map<core::Hash128, std::string, KeyHash>, 2> label_of_key_;
};

inline WalkResult walk(const Game& game) { return Walker(game).run(); }

inline std::string describe(const WalkResult& result) {
  std::string text;
  for (const std::string& error : result.errors) text += error + "\n";
  return text;
}

// Calls `see` at every state, parents before children.
inline void for_each_state(const Game& game,
                           const std::function<void(const std::byte*, Turn)>& see) {
  const std::function<void(const std::vector<std::byte>&)> visit =
      [&](const std::vector<std::byte>& state) {
        const Turn turn = game.turn(state.data());
        see(state.data(), turn);
        std::vector<std::byte> next(state.size());
        for (int a = 0; a < turn.num_actions; ++a) {
          game.child(state.data(), a, next.data());
          visit(next);
        }
      };
  std::vector<std::byte> root(game.state_bytes());
  game.root(root.data());
  visit(root);
}

// Information sets by key alone, for games too large for walk().
inline int64_t count_infosets_by_key(const Game& game) {
  std::array<std::unordered_set<core::Hash128, KeyHash>, 2> keys;
  for_each_state(game, [&](const std::byte* state, Turn turn) {
    if (turn.actor < 2) keys[turn.actor].insert(game.infoset_key(state));
  });
  return static_cast<int64_t>(keys[0].size() + keys[1].size());
}

// The state after actions named by their labels; throws std::out_of_range for a label that is not
// there.
inline std::vector<std::byte> state_after(const Game& game,
                                          const std::vector<std::string>& labels) {
  std::vector<std::byte> state(game.state_bytes());
  game.root(state.data());
  for (const std::string& label : labels) {
    std::map<std::string, int> actions;
    const int number = game.turn(state.data()).num_actions;
    for (int a = 0; a < number; ++a) actions[game.action_label(state.data(), a)] = a;
    std::vector<std::byte> next(state.size());
    game.child(state.data(), actions.at(label), next.data());
    state = next;
  }
  return state;
}

// "terminal: payoff of player 1", "chance: labels" or "player: infoset: labels" after these
// actions.
inline std::string situation(const Game& game, const std::vector<std::string>& labels) {
  const std::vector<std::byte> state = state_after(game, labels);
  const Turn turn = game.turn(state.data());
  if (turn.actor == kTerminal) return "terminal: " + game.payoff(state.data(), 0).to_string();
  std::string text = "chance:";
  if (turn.actor != kChance) {
    text = std::to_string(turn.actor + 1) + ": " + game.infoset_label(state.data()) + ":";
  }
  for (int a = 0; a < turn.num_actions; ++a) text += " " + game.action_label(state.data(), a);
  return text;
}

// The value of `player`'s payoff when everybody follows `policy` (infoset label, action label).
using Policy = std::function<double(int player, const std::string&, const std::string&)>;
inline double expected_value(const Game& game, int player, const Policy& policy) {
  const std::function<double(const std::vector<std::byte>&)> value =
      [&](const std::vector<std::byte>& state) -> double {
    const Turn turn = game.turn(state.data());
    if (turn.actor == kTerminal) return game.payoff(state.data(), player).to_double();
    double sum = 0;
    std::vector<std::byte> next(state.size());
    for (int a = 0; a < turn.num_actions; ++a) {
      const double p = turn.actor == kChance ? game.chance_probability(state.data(), a).to_double()
                                             : policy(turn.actor, game.infoset_label(state.data()),
                                                      game.action_label(state.data(), a));
      game.child(state.data(), a, next.data());
      if (p != 0) sum += p * value(next);
    }
    return sum;
  };
  std::vector<std::byte> root(game.state_bytes());
  game.root(root.data());
  return value(root);
}

}  // namespace cleave::games
