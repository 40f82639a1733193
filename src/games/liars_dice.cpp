// Liar's Dice.
//
// Each player rolls `dice` dice with the faces 1 to `faces` and sees only the own roll. Player 1
// begins; players in turn bid a quantity and a face, "at least so many dice of both players show
// this face", each bid higher than the last: a larger quantity, or the same quantity of a higher
// face. Instead of bidding, a player may call the last bid a lie, which ends the game. The highest
// face is wild: it counts as every face. The bidder wins 1 if the bid was true and loses 1 if not.
// After the highest bid only "liar" remains.
//
// Source: M. Lanctot, "Monte Carlo Sampling and Regret Minimization for Equilibrium Computation and
// Decision-Making in Large Extensive Form Games", 2013 (there as 1 die each); rules as in
// OpenSpiel. Parameters: dice (1), 1 to 8; faces (6), 2 to 32; 2 * dice * faces <= 64. A roll of
// several dice is one chance event, an unordered multiset with its multinomial probability: player
// 1's roll, then player 2's. Counts with R rolls and B = 2 * dice * faces bids: 1 + R + R^2
// (2^(B+1) - 1) histories, R 2^B information sets; the default has 294,883 and 24,576. Labels: the
// roll, a colon and the bids as quantity x face: "5:1x3|2x1", "2.6:1x2" with two dice.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "core/error.h"
#include "games/games.h"

namespace cleave::games {
namespace {

constexpr int kMaxDice = 8;
constexpr int kMaxBids = 64;

struct LiarsDiceParams {
  static constexpr const char* kName = "liars_dice";
  static constexpr const char* kSummary =
      "Liar's Dice: rising bids on both players' dice until one is called a lie";
  int dice = 1;
  int faces = 6;

  template <class Each>
  void list(const Each& each) {
    each("dice", dice, "dice per player, 1 to 8", 1, kMaxDice);
    each("faces", faces, "faces of a die, the highest is wild; 2 * dice * faces up to 64", 2, 32);
  }
};

// Bids only rise, so the set of bids made is the history, and its parity says whose turn it is.
struct State {
  uint64_t bids = 0;
  uint16_t roll[2] = {0, 0};  // indices of Rolls
  uint8_t rolled = 0;
  bool called = false;
};

struct Roll {
  std::vector<uint8_t> faces;  // ascending
  int64_t ways = 0;            // orders in which these faces come
};

std::vector<Roll> all_rolls(int dice, int faces) {
  std::vector<Roll> rolls;
  std::vector<uint8_t> roll(static_cast<size_t>(dice), 1);
  while (true) {
    int64_t ways = 1;  // dice! / (product of count!), built up one die at a time
    for (int i = 0, run = 0; i < dice; ++i) {
      run = i > 0 && roll[i] == roll[i - 1] ? run + 1 : 1;
      ways = ways * (i + 1) / run;
    }
    rolls.push_back({roll, ways});
    int place = dice - 1;
    while (place >= 0 && roll[place] == faces) --place;
    if (place < 0) return rolls;
    std::fill(roll.begin() + place, roll.end(), static_cast<uint8_t>(roll[place] + 1));
  }
}

class LiarsDice final : public NamedGame<State, LiarsDiceParams> {
 public:
  explicit LiarsDice(const LiarsDiceParams& params)
      : NamedGame(params), num_bids_(2 * params.dice * params.faces) {
    if (num_bids_ > kMaxBids) {
      core::reject(
          "game 'liars_dice': dice={} and faces={} are {} bids; allowed are 1 to {} dice with 2 * "
          "dice * faces up to {}",
          params_.dice, params_.faces, num_bids_, kMaxDice, kMaxBids);
    }
    rolls_ = all_rolls(params.dice, params.faces);
    for (const Roll& roll : rolls_) total_ways_ += roll.ways;
  }

 protected:
  Turn turn(const State& state) const override {
    if (state.rolled < 2) return {kChance, static_cast<int>(rolls_.size())};
    if (state.called) return {kTerminal, 0};
    const int higher = num_bids_ - next_bid(state);
    return {to_act(state), higher + (state.bids != 0 ? 1 : 0)};
  }

  void apply(State& state, int action) const override {
    if (state.rolled < 2) {
      state.roll[state.rolled++] = static_cast<uint16_t>(action);
    } else if (next_bid(state) + action == num_bids_) {
      state.called = true;
    } else {
      state.bids |= uint64_t{1} << (next_bid(state) + action);
    }
  }

  core::Rational chance_probability(const State&, int action) const override {
    return {rolls_[action].ways, total_ways_};
  }

  core::Rational payoff(const State& state, int player) const override {
    const int bid = next_bid(state) - 1;
    const int face = bid % params_.faces + 1;
    int matching = 0;
    for (const uint16_t index : state.roll) {
      for (const uint8_t die : rolls_[index].faces) matching += die == face || die == params_.faces;
    }
    const bool bid_true = matching >= bid / params_.faces + 1;
    const bool is_bidder = player != to_act(state);
    return bid_true == is_bidder ? 1 : -1;
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher().add(state.roll[to_act(state)]).add(state.bids).finish();
  }

  std::string infoset_label(const State& state) const override {
    std::string label = roll_name(state.roll[to_act(state)]);
    char separator = ':';
    for (int bid = 0; bid < num_bids_; ++bid) {
      if ((state.bids >> bid & 1) == 0) continue;
      label += separator + bid_name(bid);
      separator = '|';
    }
    return state.bids == 0 ? label + ":" : label;
  }

  std::string action_label(const State& state, int action) const override {
    if (state.rolled < 2) return roll_name(action);
    const int bid = next_bid(state) + action;
    return bid == num_bids_ ? "liar" : bid_name(bid);
  }

 private:
  static Actor to_act(const State& state) {
    return static_cast<Actor>(std::popcount(state.bids) % 2);
  }
  // Bid number (quantity - 1) * faces + face - 1; the lowest that may still be made.
  static int next_bid(const State& state) { return std::bit_width(state.bids); }

  std::string bid_name(int bid) const {
    return fmt::format("{}x{}", bid / params_.faces + 1, bid % params_.faces + 1);
  }
  std::string roll_name(int index) const {
    return fmt::format("{}", fmt::join(rolls_[index].faces, "."));
  }

  int num_bids_;
  std::vector<Roll> rolls_;
  int64_t total_ways_ = 0;  // faces^dice
};

}  // namespace

GameInfo liars_dice_info() { return game_info<LiarsDice>(); }

}  // namespace cleave::games
