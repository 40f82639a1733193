#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/game.h"

namespace cleave::games {

// Where two games differ as trees (turns, probabilities, payoffs, labels, information sets), as a
// sentence for a failed test; empty if nowhere. Neither names nor keys need to agree, only which
// nodes share a key. `num_nodes` counts what was compared.
inline std::string tree_difference(const Game& a, const Game& b, size_t* num_nodes = nullptr) {
  struct Pair {
    std::vector<std::byte> a, b;
  };
  using Key = std::pair<uint64_t, uint64_t>;
  std::map<std::pair<int, Key>, Key> b_of_a;
  std::map<std::pair<int, Key>, Key> a_of_b;
  if (a.num_players() != b.num_players()) return "number of players";
  std::vector<Pair> todo(1);
  todo[0].a.resize(a.state_bytes());
  todo[0].b.resize(b.state_bytes());
  a.root(todo[0].a.data());
  b.root(todo[0].b.data());
  size_t count = 0;
  while (!todo.empty()) {
    const Pair at = std::move(todo.back());
    todo.pop_back();
    const std::string where = " at node " + std::to_string(count++);
    const Turn turn = a.turn(at.a.data());
    const Turn other = b.turn(at.b.data());
    if (turn.actor != other.actor) return "actor" + where;
    if (turn.num_actions != other.num_actions) return "number of actions" + where;
    if (turn.actor == kTerminal) {
      for (int player = 0; player < a.num_players(); ++player) {
        if (!(a.payoff(at.a.data(), player) == b.payoff(at.b.data(), player))) {
          return "payoff" + where;
        }
      }
    } else if (turn.actor != kChance) {
      if (a.infoset_label(at.a.data()) != b.infoset_label(at.b.data())) return "set label" + where;
      const core::Hash128 ka = a.infoset_key(at.a.data());
      const core::Hash128 kb = b.infoset_key(at.b.data());
      const Key key_a{ka.hi, ka.lo};
      const Key key_b{kb.hi, kb.lo};
      if (b_of_a.try_emplace({turn.actor, key_a}, key_b).first->second != key_b ||
          a_of_b.try_emplace({turn.actor, key_b}, key_a).first->second != key_a) {
        return "information set" + where;
      }
    }
    for (int i = 0; i < turn.num_actions; ++i) {
      if (a.action_label(at.a.data(), i) != b.action_label(at.b.data(), i)) {
        return "action label" + where;
      }
      if (turn.actor == kChance &&
          !(a.chance_probability(at.a.data(), i) == b.chance_probability(at.b.data(), i))) {
        return "probability" + where;
      }
      Pair next{std::vector<std::byte>(at.a.size()), std::vector<std::byte>(at.b.size())};
      a.child(at.a.data(), i, next.a.data());
      b.child(at.b.data(), i, next.b.data());
      todo.push_back(std::move(next));
    }
  }
  if (num_nodes != nullptr) *num_nodes = count;
  return "";
}

}  // namespace cleave::games
