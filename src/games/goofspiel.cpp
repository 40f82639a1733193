// Goofspiel, the game of pure strategy.
//
// Both players hold the cards 1 to n, and the prizes 1 to n come up one by one. For each prize both
// players bid one of their cards; the higher bid wins the prize's points, equal bids discard it.
// Bids are simultaneous: player 2 bids without having seen player 1's card. With reveal=false the
// players learn only who won the round, with reveal=true both cards. The last round is forced and
// therefore played automatically, with no histories of its own.
//
// Source: S. Ross, "Goofspiel: the game of pure strategy", Journal of Applied Probability 8, 1971;
// the variant with hidden bids: M. Lanctot, V. Lisy and M. Bowling, "Search in Imperfect
// Information Games using Online Monte Carlo Counterfactual Regret Minimization", 2014. Parameters:
//   cards (4)               2 to 13
//   prizes (descending)     the order of the prizes: descending, ascending, or random (dealt by
//                           chance as the rounds begin)
//   reveal (false)          whether both bids are shown after a round
//   payoff (win_loss)       win_loss: 1, 0 or -1 for more, equal or fewer points; points: the
//                           difference of points
// Counts at the default: 1,077 histories, 162 information sets. Value 0 by symmetry.
// Labels: the player's rounds, each as own bid and w, l or d, "4w|1l"; with reveal=true as own and
// other bid, "4-2|1-3"; with random prizes each with the prize before it, "3:4w|1:".

#include <fmt/format.h>

#include "games/games.h"

namespace cleave::games {
namespace {

struct GoofspielParams {
  static constexpr const char* kName = "goofspiel";
  static constexpr const char* kSummary = "Goofspiel: bid cards for prizes, bids hidden";
  int cards = 4;
  std::string prizes = "descending";
  bool reveal = false;
  std::string payoff = "win_loss";

  template <class Each>
  void list(const Each& each) {
    using Texts = std::vector<std::string>;
    each("cards", cards, "cards per player and prizes, 2 to 13", 2, 13);
    each("prizes", prizes, "order of the prizes: descending, ascending or random",
         Texts{"descending", "ascending", "random"});
    each("reveal", reveal, "whether bids are shown after a round");
    each("payoff", payoff, "win_loss (1, 0, -1) or points (their difference)",
         Texts{"win_loss", "points"});
  }
};

// Per round in base 16 (round i at digit i): cards are 1 to 13, so 0 is "not yet".
struct State {
  uint64_t prizes = 0;
  uint64_t bids[2] = {0, 0};
  uint8_t round = 0;
  uint8_t actor = kChance;
};

int digit(uint64_t digits, int index) { return static_cast<int>(digits >> (4 * index) & 15); }
void set_digit(uint64_t& digits, int index, int value) {
  digits |= static_cast<uint64_t>(value) << (4 * index);
}

class Goofspiel final : public NamedGame<State, GoofspielParams> {
 public:
  explicit Goofspiel(const GoofspielParams& params)
      : NamedGame(params), random_(params.prizes == "random") {}

 protected:
  State initial() const override {
    State state;
    if (random_) return state;
    for (int i = 0; i < params_.cards; ++i) {
      set_digit(state.prizes, i, params_.prizes == "ascending" ? i + 1 : params_.cards - i);
    }
    state.actor = 0;
    return state;
  }

  Turn turn(const State& state) const override {
    if (state.actor == kTerminal) return {kTerminal, 0};
    return {state.actor, params_.cards - state.round};
  }

  void apply(State& state, int action) const override {
    if (state.actor == kChance) {
      set_digit(state.prizes, state.round, card_left(state.prizes, state.round, action));
      state.actor = 0;
      return;
    }
    uint64_t& bids = state.bids[state.actor];
    set_digit(bids, state.round, card_left(bids, state.round, action));
    if (state.actor == 0) {
      state.actor = 1;
      return;
    }
    ++state.round;
    state.actor = random_ ? kChance : 0;
    if (state.round + 1 == params_.cards) play_last_round(state);
  }

  core::Rational chance_probability(const State& state, int) const override {
    return {1, params_.cards - state.round};
  }

  core::Rational payoff(const State& state, int player) const override {
    int points = 0;
    for (int i = 0; i < params_.cards; ++i) {
      points += outcome(state, player, i) * digit(state.prizes, i);
    }
    if (params_.payoff == "points") return points;
    return (points > 0) - (points < 0);
  }

  core::Hash128 infoset_key(const State& state) const override {
    core::Hasher hasher;
    hasher.add(state.actor).add(state.round).add(random_ ? state.prizes : 0);
    hasher.add(state.bids[state.actor]);
    if (params_.reveal) {
      // The bid of the round under way is the opponent's secret.
      const uint64_t past = (uint64_t{1} << (4 * state.round)) - 1;
      return hasher.add(state.bids[1 - state.actor] & past).finish();
    }
    uint64_t outcomes = 0;
    for (int i = 0; i < state.round; ++i)
      set_digit(outcomes, i, outcome(state, state.actor, i) + 1);
    return hasher.add(outcomes).finish();
  }

  std::string infoset_label(const State& state) const override {
    std::string label;
    for (int i = 0; i <= state.round; ++i) {
      if (i > 0 && (i < state.round || random_)) label += '|';
      if (random_) label += fmt::format("{}:", digit(state.prizes, i));
      if (i == state.round) break;
      label += fmt::to_string(digit(state.bids[state.actor], i));
      if (params_.reveal) {
        label += fmt::format("-{}", digit(state.bids[1 - state.actor], i));
      } else {
        label += "ldw"[outcome(state, state.actor, i) + 1];
      }
    }
    return label.empty() ? "start" : label;
  }

  std::string action_label(const State& state, int action) const override {
    const bool prize = state.actor == kChance;
    const uint64_t used = prize ? state.prizes : state.bids[state.actor];
    return fmt::format("{}{}", prize ? "prize" : "", card_left(used, state.round, action));
  }

 private:
  // The action-th lowest of the cards 1 to n that are not among the first `round` digits of `used`.
  int card_left(uint64_t used, int round, int action) const {
    uint32_t mask = 0;
    for (int i = 0; i < round; ++i) mask |= 1U << digit(used, i);
    int card = 1;
    while ((mask >> card & 1) != 0 || action-- > 0) ++card;
    return card;
  }

  void play_last_round(State& state) const {
    const int last = state.round;
    if (random_) set_digit(state.prizes, last, card_left(state.prizes, last, 0));
    for (uint64_t& bids : state.bids) set_digit(bids, last, card_left(bids, last, 0));
    state.actor = kTerminal;
  }

  // 1, 0 or -1 as `player` won, tied or lost the round.
  static int outcome(const State& state, int player, int round) {
    const int mine = digit(state.bids[player], round);
    const int theirs = digit(state.bids[1 - player], round);
    return (mine > theirs) - (mine < theirs);
  }

  bool random_;
};

}  // namespace

GameInfo goofspiel_info() { return game_info<Goofspiel>(); }

}  // namespace cleave::games
