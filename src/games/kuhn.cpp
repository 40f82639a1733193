// Kuhn poker.
//
// Each player antes 1 chip and is dealt one card, player 1 first. Player 1 checks or bets 1. After
// a check player 2 checks (showdown) or bets; after a bet the other player folds or calls
// (showdown). The higher card wins the pot.
//
// Source: H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1,
// 1950. Parameters: cards (3), the number of different cards in the deck, 2 to 60. Counts for n
// cards: 1 + n + 9 n (n - 1) histories and 4 n information sets; n = 3: 58 and 12. Value for player
// 1 with three cards: -1/18. Labels: the card, a colon and the betting so far (c check, b bet):
// "K:cb".

#include <fmt/format.h>

#include "games/games.h"

namespace cleave::games {
namespace {

struct KuhnParams {
  static constexpr const char* kName = "kuhn";
  static constexpr const char* kSummary = "Kuhn poker: one card each, one bet of 1 chip";
  int cards = 3;

  template <class Each>
  void list(const Each& each) {
    each("cards", cards, "different cards in the deck, 2 to 60", 2, 60);
  }
};

// Betting so far. A player acts at the first four; the others are terminal.
enum Betting : uint8_t { kStart, kCheck, kBet, kCheckBet, kCheckCheck, kFolded, kCalled };

struct State {
  uint8_t dealt = 0;
  uint8_t card[2] = {0, 0};
  Betting betting = kStart;
  uint8_t folder = 0;  // meaningful after kFolded
};

class Kuhn final : public NamedGame<State, KuhnParams> {
 public:
  using NamedGame::NamedGame;

 protected:
  Turn turn(const State& state) const override {
    if (state.dealt < 2) return {kChance, params_.cards - state.dealt};
    if (state.betting > kCheckBet) return {kTerminal, 0};
    const bool first = state.betting == kStart || state.betting == kCheckBet;
    return {static_cast<Actor>(first ? 0 : 1), 2};
  }

  void apply(State& state, int action) const override {
    if (state.dealt < 2) {
      state.card[state.dealt] = dealt_card(state, action);
      ++state.dealt;
      return;
    }
    if (state.betting == kStart) {
      state.betting = action == 0 ? kCheck : kBet;
    } else if (state.betting == kCheck) {
      state.betting = action == 0 ? kCheckCheck : kCheckBet;
    } else {
      state.folder = state.betting == kBet ? 1 : 0;
      state.betting = action == 0 ? kFolded : kCalled;
    }
  }

  core::Rational chance_probability(const State& state, int) const override {
    return {1, params_.cards - state.dealt};
  }

  core::Rational payoff(const State& state, int player) const override {
    if (state.betting == kFolded) return state.folder == player ? -1 : 1;
    const int stake = state.betting == kCalled ? 2 : 1;
    return state.card[player] > state.card[1 - player] ? stake : -stake;
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher().add(state.card[turn(state).actor]).add(state.betting).finish();
  }

  std::string infoset_label(const State& state) const override {
    constexpr const char* kText[] = {"", "c", "b", "cb"};
    return card_name(state.card[turn(state).actor]) + ":" + kText[state.betting];
  }

  std::string action_label(const State& state, int action) const override {
    if (state.dealt < 2) return card_name(dealt_card(state, action));
    if (state.betting == kStart || state.betting == kCheck) return action == 0 ? "check" : "bet";
    return action == 0 ? "fold" : "call";
  }

 private:
  // The action-th card that is still in the deck.
  static uint8_t dealt_card(const State& state, int action) {
    const bool after_gap = state.dealt == 1 && action >= state.card[0];
    return static_cast<uint8_t>(action + (after_gap ? 1 : 0));
  }

  std::string card_name(int card) const {
    if (params_.cards == 3) return std::string(1, "JQK"[card]);
    return fmt::to_string(card + 1);
  }
};

}  // namespace

GameInfo kuhn_info() { return game_info<Kuhn>(); }

}  // namespace cleave::games
