#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "core/hash.h"
#include "core/rational.h"

namespace cleave::games {

// Who acts at a state. Players count from 0 inside the program and from 1 in everything a person
// reads or a file holds.
using Actor = uint8_t;
inline constexpr Actor kChance = 254;
inline constexpr Actor kTerminal = 255;

struct Turn {
  Actor actor = kTerminal;
  int num_actions = 0;  // 0 exactly at terminal states
};

// The rules of a game, and nothing else. A state is `state_bytes()` bytes of plain data that the
// caller owns, aligned as `new` does or at a multiple of state_bytes() behind such a place, and may
// copy with memcpy; no call allocates, so that a game of millions of histories compiles in seconds.
// Actions at a state are numbered 0 .. num_actions - 1.
class Game {
 public:
  virtual ~Game() = default;

  // The full name by which make_game() finds this very game again, parameters included.
  virtual std::string name() const = 0;
  virtual int num_players() const { return 2; }
  virtual size_t state_bytes() const = 0;

  virtual void root(std::byte* state) const = 0;
  virtual Turn turn(const std::byte* state) const = 0;
  virtual void child(const std::byte* state, int action, std::byte* out) const = 0;

  // At chance states only; the probabilities of a state sum to exactly one.
  virtual core::Rational chance_probability(const std::byte* state, int action) const = 0;
  // At terminal states only.
  virtual core::Rational payoff(const std::byte* state, int player) const = 0;

  // At states where a player acts: equal for two states of the acting player if and only if the
  // player cannot tell them apart.
  virtual core::Hash128 infoset_key(const std::byte* state) const = 0;
  // Unique among the information sets of one player; what `.efg` and `.csv` files call it.
  virtual std::string infoset_label(const std::byte* state) const = 0;
  // Unique among the actions of one state, the same in every state of an information set.
  virtual std::string action_label(const std::byte* state, int action) const = 0;
};

// What a game with a state struct derives from: the same interface, typed.
template <class State>
class TypedGame : public Game {
  static_assert(std::is_trivially_copyable_v<State>);
  // Callers place states one after another in arrays of bytes, which begin at this alignment.
  static_assert(alignof(State) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

 public:
  size_t state_bytes() const final { return sizeof(State); }
  void root(std::byte* state) const final { *new (state) State = initial(); }
  Turn turn(const std::byte* state) const final { return turn(as(state)); }
  void child(const std::byte* state, int action, std::byte* out) const final {
    State next = as(state);
    apply(next, action);
    *new (out) State = next;
  }
  core::Rational chance_probability(const std::byte* state, int action) const final {
    return chance_probability(as(state), action);
  }
  core::Rational payoff(const std::byte* state, int player) const final {
    return payoff(as(state), player);
  }
  core::Hash128 infoset_key(const std::byte* state) const final { return infoset_key(as(state)); }
  std::string infoset_label(const std::byte* state) const final { return infoset_label(as(state)); }
  std::string action_label(const std::byte* state, int action) const final {
    return action_label(as(state), action);
  }

 protected:
  virtual State initial() const { return {}; }
  virtual Turn turn(const State& state) const = 0;
  virtual void apply(State& state, int action) const = 0;
  virtual core::Rational chance_probability(const State&, int) const { return {1}; }
  virtual core::Rational payoff(const State& state, int player) const = 0;
  virtual core::Hash128 infoset_key(const State& state) const = 0;
  virtual std::string infoset_label(const State& state) const = 0;
  virtual std::string action_label(const State& state, int action) const = 0;

 private:
  static const State& as(const std::byte* state) {
    return *std::launder(reinterpret_cast<const State*>(state));
  }
};

}  // namespace cleave::games
