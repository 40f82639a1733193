// Nim, a game of perfect information.
//
// Players take turns; one takes any positive number of objects from one pile. Who takes the last
// object wins 1 (normal play).
//
// Source: C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3,
// 1901. The player to move wins if and only if the piles' exclusive or is not 0.
// Parameters: piles (1:2:3), up to 8 piles of up to 15 objects, at most 40 objects altogether.
// Counts at the default: 447 histories, 265 information sets. Value for player 1: -1.
// Every decision is its own information set: keys and labels are the whole history.
// Labels: moves as pile-number, "1-1|3-2" (one from the first pile, then two from the third).

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "core/error.h"
#include "games/games.h"

namespace cleave::games {
namespace {

constexpr int kMaxPiles = 8;
constexpr int kMaxPile = 15;
constexpr int kMaxObjects = 40;

struct NimParams {
  static constexpr const char* kName = "nim";
  static constexpr const char* kSummary =
      "Nim: perfect information, who takes the last object wins";
  std::vector<int64_t> piles = {1, 2, 3};

  template <class Each>
  void list(const Each& each) {
    each("piles", piles, "objects in each pile, up to 8 piles of 1 to 15, at most 40 together", 1,
         kMaxPile);
  }
};

struct Move {
  uint8_t pile = 0;
  uint8_t number = 1;
};

struct State {
  uint8_t left[kMaxPiles] = {};
  uint8_t num_moves = 0;
  uint8_t moves[kMaxObjects] = {};  // pile * 16 + number
};

class Nim final : public NamedGame<State, NimParams> {
 public:
  explicit Nim(const NimParams& params) : NamedGame(params) {
    const int64_t objects = std::accumulate(params_.piles.begin(), params_.piles.end(), int64_t{0});
    if (params_.piles.size() > kMaxPiles || objects > kMaxObjects) {
      core::reject(
          "game 'nim': parameter 'piles' is '{}'; allowed are 1 to {} piles of 1 to {} objects, "
          "and at most {} objects altogether",
          core::param_text(params_.piles), kMaxPiles, kMaxPile, kMaxObjects);
    }
  }

 protected:
  State initial() const override {
    State state;
    std::copy(params_.piles.begin(), params_.piles.end(), state.left);
    return state;
  }

  Turn turn(const State& state) const override {
    const int left = std::accumulate(state.left, state.left + kMaxPiles, 0);
    if (left == 0) return {kTerminal, 0};
    return {static_cast<Actor>(state.num_moves % 2), left};  // one action per object
  }

  void apply(State& state, int action) const override {
    const Move move = move_of(state, action);
    state.left[move.pile] = static_cast<uint8_t>(state.left[move.pile] - move.number);
    state.moves[state.num_moves++] = static_cast<uint8_t>(move.pile * 16 + move.number);
  }

  core::Rational payoff(const State& state, int player) const override {
    return (state.num_moves - 1) % 2 == player ? 1 : -1;
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher()
        .add_bytes(std::as_bytes(std::span(state.moves, state.num_moves)))
        .finish();
  }

  std::string infoset_label(const State& state) const override {
    if (state.num_moves == 0) return "start";
    std::string label;
    for (int i = 0; i < state.num_moves; ++i) {
      if (i > 0) label += '|';
      label += fmt::format("{}-{}", state.moves[i] / 16 + 1, state.moves[i] % 16);
    }
    return label;
  }

  std::string action_label(const State& state, int action) const override {
    const Move move = move_of(state, action);
    return fmt::format("{}-{}", move.pile + 1, move.number);
  }

 private:
  // Actions run through the piles, and within one from a single object to all of them.
  static Move move_of(const State& state, int action) {
    Move move;
    while (action >= state.left[move.pile]) action -= state.left[move.pile++];
    move.number = static_cast<uint8_t>(action + 1);
    return move;
  }
};

}  // namespace

GameInfo nim_info() { return game_info<Nim>(); }

}  // namespace cleave::games
