// Two-player poker as a `.game` file defines it (poker/definition.h).
//
// Chance deals player 1's hole cards, player 2's, and at the beginning of each round that round's
// board cards, each as one action: a set of cards, all of them equally likely. Once somebody is all
// in, one action deals all that is left of the board. Hands are compared as the competition's
// dealer does (poker/evaluator.h): in games of fewer than five cards there are no straights and
// flushes. Payoffs are chips won or lost.
//
// Source: the format of the annual computer poker competition.
//
// Parameters, in brackets behind the path:
//   sizes (all that the rules allow)  bet and raise sizes of a no-limit game, separated by ':',
//   e.g.
//                                     50%:100%:a; poker/betting.h has the notation
//
// Labels: own cards, betting, board, betting: "Qs:check/bet 2/call|Kh:check". Bets and raises say
// what the player has then put in on the street.

#include "games/poker_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "core/error.h"
#include "core/params.h"
#include "poker/evaluator.h"

namespace cleave::games {
namespace {

using poker::BettingNode;
using poker::CardSet;
using NodeKind = BettingNode::Kind;

constexpr size_t kMaxRounds = 4;
// More betting than this makes no tree that fits a machine once cards are dealt.
constexpr size_t kMaxBettingNodes = 2'000'000;

int64_t binomial(int n, int k) {
  int64_t result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// The index-th set of k cards; sets with the lowest cards come first.
CardSet subset_of(CardSet cards, int k, int64_t index) {
  CardSet chosen = 0;
  for (; k > 0; cards &= cards - 1) {
    const int64_t with_lowest = binomial(std::popcount(cards) - 1, k - 1);
    if (index >= with_lowest) {
      index -= with_lowest;
      continue;
    }
    chosen |= poker::set_of(poker::lowest(cards));
    --k;
  }
  return chosen;
}

struct State {
  CardSet hole[2] = {0, 0};
  CardSet board[kMaxRounds] = {};  // [round] that it was dealt in
  uint32_t node = 0;               // of the betting tree
};
static_assert(sizeof(State) <= 64);

class PokerGame final : public TypedGame<State> {
 public:
  explicit PokerGame(const PokerParams& params)
      : definition_(params.definition),
        deck_(params.definition.deck()),
        betting_(build_betting_tree(make_betting(params.definition, params.sizes),
                                    {.max_nodes = kMaxBettingNodes})),
        name_(params.name.empty() ? params.definition.name : params.name) {
    if (params.sizes) {
      std::string sizes = poker::to_text(*params.sizes);
      std::replace(sizes.begin(), sizes.end(), ',', ':');
      name_ += "(sizes=" + sizes + ")";
    }
    int board_cards = 0;
    for (size_t r = 0; r < definition_.rounds.size(); ++r) {
      board_cards += definition_.rounds[r].board_cards;
      board_cards_[r] = board_cards;
    }
  }

  std::string name() const override { return name_; }

 protected:
  Turn turn(const State& state) const override {
    const int due = cards_due(state);
    if (due > 0) {
      return {kChance, static_cast<int>(binomial(std::popcount(cards_left(state)), due))};
    }
    const BettingNode& node = node_of(state);
    if (node.kind != NodeKind::kDecision) return {kTerminal, 0};
    return {node.player, node.num_children};
  }

  void apply(State& state, int action) const override {
    const int due = cards_due(state);
    if (due > 0) {
      const CardSet cards = subset_of(cards_left(state), due, action);
      slot_of(state) = cards;
    } else {
      state.node = node_of(state).first_child + static_cast<uint32_t>(action);
    }
    while (node_of(state).kind == NodeKind::kDeal && cards_due(state) == 0) {
      state.node = node_of(state).first_child;
    }
  }

  core::Rational chance_probability(const State& state, int) const override {
    return {1, binomial(std::popcount(cards_left(state)), cards_due(state))};
  }

  core::Rational payoff(const State& state, int player) const override {
    const auto payoffs = betting_.payoffs(state.node, player);
    if (node_of(state).kind == NodeKind::kFold) return core::Rational::from_double(payoffs.win);
    const CardSet board = board_of(state);
    const auto mine = poker::strength_of(state.hole[player] | board);
    const auto theirs = poker::strength_of(state.hole[1 - player] | board);
    return core::Rational::from_double(mine > theirs   ? payoffs.win
                                       : mine < theirs ? payoffs.lose
                                                       : payoffs.tie);
  }

  core::Hash128 infoset_key(const State& state) const override {
    core::Hasher hasher;
    hasher.add(state.node).add(state.hole[node_of(state).player]);
    for (const CardSet cards : state.board) hasher.add(cards);
    return hasher.finish();
  }

  std::string infoset_label(const State& state) const override {
    std::vector<const BettingNode*> path;
    for (uint32_t node = state.node; node != 0; node = betting_.nodes[node].parent) {
      path.push_back(&betting_.nodes[node]);
    }
    std::reverse(path.begin(), path.end());
    std::string label = poker::to_text(state.hole[node_of(state).player]);
    if (state.board[0] != 0) label += "|" + poker::to_text(state.board[0]);
    label += ':';
    size_t round = 0;
    for (const BettingNode* step : path) {
      const poker::Action& action = step->action;
      if (action.kind == poker::Action::Kind::kDeal) {
        ++round;
        label += "|" + (state.board[round] != 0 ? poker::to_text(state.board[round]) : "") + ":";
      } else {
        label += (label.back() == ':' ? "" : "/") + poker::to_text(action);
      }
    }
    return label;
  }

  std::string action_label(const State& state, int action) const override {
    const int due = cards_due(state);
    if (due > 0) return poker::to_text(subset_of(cards_left(state), due, action));
    const uint32_t child = node_of(state).first_child + static_cast<uint32_t>(action);
    return poker::to_text(betting_.nodes[child].action);
  }

 private:
  const BettingNode& node_of(const State& state) const { return betting_.nodes[state.node]; }

  static CardSet board_of(const State& state) {
    CardSet cards = 0;
    for (const CardSet round : state.board) cards |= round;
    return cards;
  }
  CardSet cards_left(const State& state) const {
    return deck_ & ~(state.hole[0] | state.hole[1] | board_of(state));
  }

  // The round whose board must be complete before play goes on.
  size_t round_due(const BettingNode& node) const {
    if (node.kind == NodeKind::kShowdown) return definition_.rounds.size() - 1;
    return node.kind == NodeKind::kDeal ? node.street + size_t{1} : node.street;
  }
  int cards_due(const State& state) const {
    if (state.hole[0] == 0 || state.hole[1] == 0) return definition_.hole_cards;
    const BettingNode& node = node_of(state);
    if (node.kind == NodeKind::kFold) return 0;
    return board_cards_[round_due(node)] - std::popcount(board_of(state));
  }
  // Where the next cards go. What is dealt out after an all-in is all the last round's: nobody acts
  // any more.
  CardSet& slot_of(State& state) const {
    if (state.hole[0] == 0) return state.hole[0];
    if (state.hole[1] == 0) return state.hole[1];
    return state.board[round_due(node_of(state))];
  }

  poker::Definition definition_;
  CardSet deck_;
  poker::BettingTree betting_;
  std::array<int, kMaxRounds> board_cards_ = {};  // dealt up to and including this round
  std::string name_;
};

}  // namespace

std::unique_ptr<Game> make_poker_game(const PokerParams& params) {
  return std::make_unique<PokerGame>(params);
}

// A path may hold any character, so that only what follows it is read as parameters.
std::string_view poker_file(std::string_view spec) {
  if (spec.ends_with(".game")) return spec;
  const size_t open = spec.ends_with(')') ? spec.rfind(".game(") : spec.npos;
  return open == spec.npos ? "" : spec.substr(0, open + 5);
}

PokerParams parse_poker_spec(std::string_view spec) {
  PokerParams params;
  params.name = poker_file(spec);
  params.definition = poker::read_definition(params.name);
  if (params.name == spec) return params;
  const std::string owner = fmt::format("game '{}'", params.name);
  for (const auto& [key, value] : core::parse_call(spec.substr(params.name.size() - 4)).arguments) {
    if (key != "sizes") {
      core::reject("{} has no parameter '{}'; it has sizes", owner, key);
    }
    if (params.sizes) {
      core::reject("{}: parameter 'sizes' is given twice", owner);
    }
    std::string sizes = value;
    std::replace(sizes.begin(), sizes.end(), ':', ',');
    params.sizes = poker::parse_sizes(sizes, owner + ": sizes");
  }
  return params;
}

}  // namespace cleave::games
