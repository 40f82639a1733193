#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "games/efg.h"
#include "games/game.h"

namespace cleave::games::efg_tests {

// One state of a game, for tests that look at single nodes.
class Walk {
 public:
  explicit Walk(const Game& game, std::initializer_list<int> actions = {})
      : game_(game), state_(game.state_bytes()) {
    game.root(state_.data());
    for (const int action : actions) {
      std::vector<std::byte> next(game.state_bytes());
      game.child(state_.data(), action, next.data());
      state_ = next;
    }
  }
  Turn turn() const { return game_.turn(state_.data()); }
  std::string payoff(int player) const { return game_.payoff(state_.data(), player).to_string(); }
  std::string probability(int action) const {
    return game_.chance_probability(state_.data(), action).to_string();
  }
  core::Hash128 key() const { return game_.infoset_key(state_.data()); }
  std::string label() const { return game_.infoset_label(state_.data()); }
  std::string action(int action) const { return game_.action_label(state_.data(), action); }
  // All labels of the state's actions, joined by '|'.
  std::string actions() const {
    std::string all;
    for (int i = 0; i < turn().num_actions; ++i) all += (i > 0 ? "|" : "") + action(i);
    return all;
  }

 private:
  const Game& game_;
  std::vector<std::byte> state_;
};

inline std::unique_ptr<Game> read(std::string_view text) { return read_efg(text, "test.efg"); }

// A tree below the header of a two-player game; its first line is line 2.
inline std::string two_players(std::string_view tree) {
  return "EFG 2 R \"t\" { \"A\" \"B\" }\n" + std::string(tree);
}

inline std::string written(const Game& game, std::string_view title = "t") {
  std::ostringstream out;
  write_efg(game, title, out);
  return out.str();
}

}  // namespace cleave::games::efg_tests
