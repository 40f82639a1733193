// Coin Toss.
//
// A fair coin lands; only player 1 sees it. Player 1 sells the coin, which pays sell_heads or
// sell_tails and ends the game, or plays. After Play player 2 guesses: a right guess pays player 1
// -1, a wrong one +1. Player 2 may also forfeit, which pays player 1 +1.
//
// Source: N. Brown and T. Sandholm, "Safe and Nested Subgame Solving for Imperfect-Information
// Games", NIPS 2017.
// Parameters: sell_heads (1/2), sell_tails (-1/2), exact numbers.
// Counts: 13 histories, 3 information sets. Value for player 1 at the defaults: 0, where player 2
// guesses Heads with probability 1/4 and Tails with 3/4.
// Labels: player 1 "heads" or "tails", player 2 "play".

#include "games/games.h"

namespace cleave::games {
namespace {

struct CoinTossParams {
  static constexpr const char* kName = "coin_toss";
  static constexpr const char* kSummary =
      "Coin Toss: sell the coin you saw, or let the opponent guess it";
  static constexpr double kLargest = 1e6;
  core::Rational sell_heads = {1, 2};
  core::Rational sell_tails = {-1, 2};

  template <class Each>
  void list(const Each& each) {
    each("sell_heads", sell_heads, "what player 1 gets for selling after Heads, e.g. 0.5 or 1/2",
         -kLargest, kLargest);
    each("sell_tails", sell_tails, "what player 1 gets for selling after Tails", -kLargest,
         kLargest);
  }
};

enum Stage : uint8_t { kToss, kSell, kGuess, kSold, kGuessed };
enum Guess : uint8_t { kHeads, kTails, kForfeit };

struct State {
  Stage stage = kToss;
  uint8_t coin = kHeads;
  uint8_t guess = kForfeit;  // meaningful after kGuessed
};

class CoinToss final : public NamedGame<State, CoinTossParams> {
 public:
  using NamedGame::NamedGame;

 protected:
  Turn turn(const State& state) const override {
    constexpr Turn kTurns[] = {{kChance, 2}, {0, 2}, {1, 3}, {kTerminal, 0}, {kTerminal, 0}};
    return kTurns[state.stage];
  }

  void apply(State& state, int action) const override {
    if (state.stage == kToss) {
      state.coin = static_cast<uint8_t>(action);
      state.stage = kSell;
    } else if (state.stage == kSell) {
      state.stage = action == 0 ? kSold : kGuess;
    } else {
      state.guess = static_cast<uint8_t>(action);
      state.stage = kGuessed;
    }
  }

  core::Rational chance_probability(const State&, int) const override { return {1, 2}; }

  core::Rational payoff(const State& state, int player) const override {
    core::Rational first = state.guess == state.coin ? -1 : 1;
    if (state.stage == kSold)
      first = state.coin == kHeads ? params_.sell_heads : params_.sell_tails;
    return player == 0 ? first : -first;
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher().add(state.stage).add(state.stage == kSell ? state.coin : 0).finish();
  }

  std::string infoset_label(const State& state) const override {
    if (state.stage == kGuess) return "play";
    return state.coin == kHeads ? "heads" : "tails";
  }

  std::string action_label(const State& state, int action) const override {
    if (state.stage == kSell) return action == 0 ? "sell" : "play";
    constexpr const char* kNames[] = {"heads", "tails", "forfeit"};
    return kNames[action];
  }
};

}  // namespace

GameInfo coin_toss_info() { return game_info<CoinToss>(); }

}  // namespace cleave::games
