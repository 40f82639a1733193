#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "games/efg.h"
#include "games/efg_lexer.h"

namespace cleave::games {
namespace {

struct HashOfKey {
  size_t operator()(const core::Hash128& key) const { return static_cast<size_t>(key.lo); }
};

template <class Key, class Hash = std::hash<Key>>
using Numbers = std::unordered_map<Key, size_t, Hash>;

// Each new key gets the next number from 1.
template <class Numbers>
size_t number_of(Numbers& numbers, const typename Numbers::key_type& key) {
  return numbers.try_emplace(key, numbers.size() + 1).first->second;
}

class EfgWriter {
 public:
  EfgWriter(const Game& game, std::ostream& out)
      : game_(game), out_(out), sets_(static_cast<size_t>(game.num_players())) {}

  void write(std::string_view title) {
    append("EFG 2 R \"{}\" {{", efg_escape(title));
    for (int player = 1; player <= game_.num_players(); ++player) append(" \"Player {}\"", player);
    append(" }}\n\"\"\n\n");
    write_tree();
    out_.flush();
    if (!out_) throw core::RunError("the .efg file cannot be written; is the disk full?");
  }

 private:
  struct Frame {
    int num_actions;
    int next_action;
  };

  // Prefix order with a stack of our own: trees may be a million nodes deep.
  void write_tree() {
    const size_t size = game_.state_bytes();
    std::vector<std::byte> states(size);  // [depth, byte]
    std::vector<Frame> path;
    game_.root(states.data());
    path.push_back({write_node(states.data()), 0});
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.next_action == frame.num_actions) {
        path.pop_back();
        continue;
      }
      const int action = frame.next_action++;
      const size_t depth = path.size();
      if (states.size() < (depth + 1) * size) states.resize(2 * depth * size);
      std::byte* child = states.data() + depth * size;
      game_.child(child - size, action, child);
      path.push_back({write_node(child), 0});
    }
  }

  int write_node(const std::byte* state) {
    const Turn turn = game_.turn(state);
    if (turn.actor == kTerminal) {
      write_terminal(state);
    } else if (turn.actor == kChance) {
      write_chance(state, turn.num_actions);
    } else {
      const size_t number = number_of(sets_[turn.actor], game_.infoset_key(state));
      append("p \"\" {} {} \"{}\" {{", turn.actor + 1, number,
             efg_escape(game_.infoset_label(state)));
      for (int i = 0; i < turn.num_actions; ++i) {
        append(" \"{}\"", efg_escape(game_.action_label(state, i)));
      }
      append(" }} 0\n");
    }
    return turn.num_actions;
  }

  // A game does not say which chance nodes belong together; those with the same actions may.
  void write_chance(const std::byte* state, int num_actions) {
    text_.clear();
    for (int i = 0; i < num_actions; ++i) {
      fmt::format_to(std::back_inserter(text_), " \"{}\" {}",
                     efg_escape(game_.action_label(state, i)),
                     game_.chance_probability(state, i).to_string());
    }
    append("c \"\" {} \"\" {{{} }} 0\n", number_of(chance_sets_, text_), text_);
  }

  void write_terminal(const std::byte* state) {
    text_.clear();
    for (int player = 0; player < game_.num_players(); ++player) {
      if (player > 0) text_ += ',';
      fmt::format_to(std::back_inserter(text_), " {}", game_.payoff(state, player).to_string());
    }
    append("t \"\" {} \"\" {{{} }}\n", number_of(outcomes_, text_), text_);
  }

  template <class... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    buffer_.clear();
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    out_ << buffer_;
  }

  const Game& game_;
  std::ostream& out_;
  std::string buffer_;
  std::string text_;
  std::vector<Numbers<core::Hash128, HashOfKey>> sets_;  // [player]
  Numbers<std::string> chance_sets_;
  Numbers<std::string> outcomes_;
};

}  // namespace

void write_efg(const Game& game, std::string_view title, std::ostream& out) {
  EfgWriter(game, out).write(title);
}

}  // namespace cleave::games
