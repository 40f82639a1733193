// Leduc hold'em, with any deck, bet sizes and number of raises.
//
// Each player antes and is dealt one card, player 1 first. In each of two rounds player 1 acts
// first; a player who faces no bet checks or bets one of the round's sizes, a player who faces one
// folds, calls, or raises one of the round's raise sizes beyond the call, as long as fewer than
// max_raises raises were made in this round. Two checks or a call end a round. After the first
// round a board card is dealt. After the second, a pair with the board wins, else the higher rank;
// equal ranks split the pot.
//
// Source: F. Southey et al., "Bayes' Bluff: Opponent Modelling in Poker", UAI 2005; the default is
// N. Burch, M. Johanson and M. Bowling, AAAI 2014 (six distinct cards, bets of 2 then 4, at most
// two bets per round). Several sizes, and cards of a rank that nobody can tell apart: J. Cermak, B.
// Bosansky and V. Lisy, "An Algorithm for Constructing and Solving Imperfect Recall Abstractions of
// Large Extensive-Form Games", IJCAI 2017. leduc(ranks=4,suits=3,distinct=false,bets=1:2) is their
// game with two bet sizes, two raise sizes and one raise; they do not give the chip amounts.
//
// Parameters:
//   ranks (3)        2 to 13; three or four are J Q K A, more end with the ace
//   suits (2)        cards per rank, 1 to 4; ranks * suits >= 3
//   distinct (true)  whether the cards of a rank are told apart; if not, chance deals ranks
//   ante (1)         chips
//   bets (2/4)       sizes of a bet: ':' between the sizes of a round, '/' between the rounds; one
//                    list stands for both rounds: 1:2 is 1:2/1:2
//   raises (bets)    the same for raises
//   max_raises (1)   raises after the bet in each round, 0 to 12
//
// Counts: the default has 9,457 histories and 936 information sets (36 + 900). With k bet and k
// raise sizes and r raises, e = 1 + 2 (k + ... + k^(r+1)) betting sequences end a round without a
// fold and players act after e + 1; with t card types of three or more cards that is t (e + 1) +
// t^2 e (e + 1) information sets. Value of the default for player 1: -0.085606424.
// Labels: private card, betting, board, betting: "Js:crc|Qh:r". c is check or call, r bet or raise,
// followed by its size where there are several ("r2").

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "games/games.h"

namespace cleave::games {
namespace {

constexpr int kMaxSizes = 8;
constexpr int kMaxRaises = 12;
constexpr int64_t kMaxChips = 1'000'000;

using Lists = std::vector<std::vector<int64_t>>;

struct LeducParams {
  static constexpr const char* kName = "leduc";
  static constexpr const char* kSummary =
      "Leduc hold'em: one private card, one board card, two rounds of betting";
  int ranks = 3;
  int suits = 2;
  bool distinct = true;
  int ante = 1;
  Lists bets = {{2}, {4}};
  Lists raises = {};  // none: as the bets
  int max_raises = 1;

  template <class Each>
  void list(const Each& each) {
    each("ranks", ranks, "card ranks, 2 to 13", 2, 13);
    each("suits", suits, "cards per rank, 1 to 4", 1, 4);
    each("distinct", distinct, "whether players tell the cards of a rank apart");
    each("ante", ante, "chips each player pays before the deal", 0, kMaxChips);
    each("bets", bets,
         "bet sizes: ':' between sizes, '/' between the rounds; one list is for both rounds", 1,
         kMaxChips);
    each("raises", raises, "chips a raise adds to the call, written like bets", 1, kMaxChips);
    each("max_raises", max_raises, "raises after the bet in each round, 0 to 12", 0, kMaxRaises);
  }
};

// A betting sequence in base 16, latest action lowest, so that 0 is the empty one. A round has at
// most check, bet, max_raises raises and a call or fold: 15 digits.
enum Digit : uint8_t { kNone, kCall, kFold, kFirstSize };
static_assert(kMaxRaises + 3 <= 16 && kFirstSize + kMaxSizes <= 16);
// A player's chips are the ante and what max_raises + 1 bets and raises of two rounds add.
static_assert((1 + 2 * (kMaxRaises + 1)) * kMaxChips <= INT32_MAX);

enum Stage : uint8_t { kDeal, kBetting, kBoard, kFolded, kShowdown };

struct State {
  uint64_t sequence[2] = {0, 0};
  int32_t chips[2] = {0, 0};
  uint8_t card[3] = {0, 0, 0};  // card types: player 1, player 2, board
  uint8_t dealt = 0;
  Stage stage = kDeal;
  uint8_t round = 0;
  uint8_t actor = 0;        // after kFolded: who folded
  uint8_t aggressions = 0;  // bets and raises in this round
};
static_assert(sizeof(State) <= 64);

// One increasing list of sizes for each of the two rounds.
Lists of_both_rounds(const char* name, Lists lists) {
  const std::string text = core::param_text(lists);
  if (lists.size() == 1) lists.push_back(lists[0]);
  const bool good = lists.size() == 2 && std::ranges::all_of(lists, [](const auto& list) {
                      return !list.empty() && list.size() <= kMaxSizes && list.front() >= 1 &&
                             list.back() <= kMaxChips &&
                             std::ranges::adjacent_find(list, std::greater_equal()) == list.end();
                    });
  if (good) return lists;
  core::reject(
      "game 'leduc': parameter '{}' is '{}'; allowed are one or two lists (rounds) separated by "
      "'/', each of up to {} increasing sizes from 1 to {} separated by ':'",
      name, text, kMaxSizes, kMaxChips);
}

// The shortest text that is read back to the same lists.
Lists shortest(Lists lists) {
  if (lists[0] == lists[1]) lists.pop_back();
  return lists;
}

class Leduc final : public NamedGame<State, LeducParams> {
 public:
  explicit Leduc(const LeducParams& params)
      : NamedGame(params),
        types_(params.distinct ? params.ranks * params.suits : params.ranks),
        copies_(params.distinct ? 1 : params.suits) {
    if (params.ranks * params.suits < 3) {
      core::reject(
          "game 'leduc': ranks={} and suits={} are {} cards; allowed are 3 or more, the number "
          "that is dealt",
          params.ranks, params.suits, params.ranks * params.suits);
    }
    bets_ = of_both_rounds("bets", params.bets);
    raises_ = params.raises.empty() ? bets_ : of_both_rounds("raises", params.raises);
    params_.bets = shortest(bets_);
    params_.raises = raises_ == bets_ ? Lists{} : shortest(raises_);
  }

 protected:
  State initial() const override {
    State state;
    state.chips[0] = state.chips[1] = params_.ante;
    return state;
  }

  Turn turn(const State& state) const override {
    if (state.stage == kBetting) {
      return {state.actor, (facing_bet(state) ? 2 : 1) + num_sizes(state)};
    }
    if (state.stage == kFolded || state.stage == kShowdown) return {kTerminal, 0};
    return {kChance, num_types_left(state)};
  }

  void apply(State& state, int action) const override {
    if (state.stage == kDeal || state.stage == kBoard) {
      const int type = type_left(state, action);
      state.card[state.dealt++] = static_cast<uint8_t>(type);
      if (state.dealt >= 2) state.stage = kBetting;
      return;
    }
    const bool facing = facing_bet(state);
    const int choice = facing ? action : action + 1;  // fold, call or check, sizes
    const int digit = choice == 0 ? kFold : choice == 1 ? kCall : kFirstSize + choice - 2;
    const bool first_to_act = state.sequence[state.round] == 0;
    state.sequence[state.round] = state.sequence[state.round] << 4 | static_cast<uint64_t>(digit);
    int32_t& mine = state.chips[state.actor];
    const int32_t theirs = state.chips[1 - state.actor];
    if (digit == kFold) {
      state.stage = kFolded;
    } else if (digit == kCall) {
      mine = theirs;
      if (!facing && first_to_act) {
        state.actor = 1;
      } else if (state.round == 0) {
        state.stage = kBoard;
        state.round = 1;
        state.actor = 0;
        state.aggressions = 0;
      } else {
        state.stage = kShowdown;
      }
    } else {
      mine = theirs + static_cast<int32_t>(sizes(state)[digit - kFirstSize]);
      ++state.aggressions;
      state.actor ^= 1;
    }
  }

  core::Rational chance_probability(const State& state, int action) const override {
    return {copies_left(state, type_left(state, action)), types_ * copies_ - state.dealt};
  }

  core::Rational payoff(const State& state, int player) const override {
    if (state.stage == kFolded) {
      return state.actor == player ? -state.chips[player] : state.chips[1 - player];
    }
    const int board = rank(state.card[2]);
    // A pair beats every rank.
    const auto strength = [&](int who) {
      const int own = rank(state.card[who]);
      return own == board ? params_.ranks : own;
    };
    const int mine = strength(player);
    const int theirs = strength(1 - player);
    if (mine == theirs) return 0;
    return mine > theirs ? state.chips[1 - player] : -state.chips[player];
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher()
        .add(state.card[state.actor] | (state.actor << 8) | (state.round << 9) |
             (state.card[2] << 10))
        .add(state.sequence[0])
        .add(state.sequence[1])
        .finish();
  }

  std::string infoset_label(const State& state) const override {
    std::string label = card_name(state.card[state.actor]) + ":" + betting_text(state, 0);
    if (state.round == 1) label += "|" + card_name(state.card[2]) + ":" + betting_text(state, 1);
    return label;
  }

  std::string action_label(const State& state, int action) const override {
    if (state.stage != kBetting) return card_name(type_left(state, action));
    if (!facing_bet(state)) {
      return action == 0 ? "check" : fmt::format("bet{}", sizes(state)[action - 1]);
    }
    if (action < 2) return action == 0 ? "fold" : "call";
    return fmt::format("raise{}", sizes(state)[action - 2]);
  }

 private:
  static bool facing_bet(const State& state) { return state.aggressions > 0; }

  const std::vector<int64_t>& sizes(const State& state) const {
    return (facing_bet(state) ? raises_ : bets_)[state.round];
  }
  int num_sizes(const State& state) const {
    return state.aggressions > params_.max_raises ? 0 : static_cast<int>(sizes(state).size());
  }

  int copies_left(const State& state, int type) const {
    return copies_ - static_cast<int>(std::count(state.card, state.card + state.dealt, type));
  }
  int num_types_left(const State& state) const {
    int number = 0;
    for (int type = 0; type < types_; ++type) number += copies_left(state, type) > 0;
    return number;
  }
  // The action-th card type that is still in the deck.
  int type_left(const State& state, int action) const {
    int type = 0;
    while (copies_left(state, type) == 0 || action-- > 0) ++type;
    return type;
  }

  int rank(int type) const { return params_.distinct ? type / params_.suits : type; }
  std::string card_name(int type) const {
    const int first = std::min(9, 13 - params_.ranks);
    std::string text(1, "23456789TJQKA"[first + rank(type)]);
    if (params_.distinct) text += "shdc"[type % params_.suits];
    return text;
  }

  std::string betting_text(const State& state, int round) const {
    std::string text;
    bool raising = false;
    for (int shift = 60; shift >= 0; shift -= 4) {
      const int digit = static_cast<int>(state.sequence[round] >> shift & 15);
      if (digit == kNone) continue;
      if (digit < kFirstSize) {
        text += digit == kCall ? 'c' : 'f';
        continue;
      }
      const auto& list = (raising ? raises_ : bets_)[round];
      text += 'r';
      if (list.size() > 1) text += fmt::to_string(list[digit - kFirstSize]);
      raising = true;
    }
    return text;
  }

  int types_;
  int copies_;
  // [round, size]: chips a bet adds, and chips a raise adds to the amount to call.
  Lists bets_, raises_;
};

}  // namespace

GameInfo leduc_info() {
  GameInfo info = game_info<Leduc>();
  std::ranges::find(info.params, "raises", &core::ParamInfo::name)->default_value = "bets";
  return info;
}

}  // namespace cleave::games
