#pragma once

#include <string_view>

#include "games/game.h"
#include "hands/vector_engine.h"
#include "poker/evaluator.h"
#include "poker/range.h"

// Hold'em spots for the tests, and the same spots as plain games: every pair of hands and every
// card dealt is a move of chance.
namespace cleave::hands {

using decompose::Vectors;
using poker::CardSet;

inline CardSet cards(std::string_view text) {
  CardSet set = 0;
  for (const poker::Card card : poker::parse_cards(text, "cards")) set |= poker::set_of(card);
  return set;
}

// Both players bet and raise the same sizes on all streets.
inline poker::Betting spot_betting(size_t streets, std::string_view bet, std::string_view raise) {
  poker::Betting betting;
  poker::StreetSizes sizes;
  sizes.bet = poker::parse_sizes(bet, "bet");
  if (!raise.empty()) sizes.raise = {poker::parse_sizes(raise, "raise")};
  for (size_t s = 0; s < streets; ++s) betting.streets.push_back({0, 255, 0, {sizes, sizes}});
  betting.pot = 20;
  betting.stack = {45, 45};
  return betting;
}

struct Spot {
  Setup setup;
  Vectors reach;  // the ranges' weights
};

inline Spot make_spot(std::string_view board, std::array<std::string_view, 2> ranges,
                      const poker::Betting& betting) {
  Spot spot;
  spot.setup.tree = build_betting_tree(betting);
  spot.setup.deck = poker::deck();
  spot.setup.board = cards(board);
  spot.setup.deals.assign(betting.streets.size(), 1);
  spot.setup.deals[0] = 0;
  for (size_t p = 0; p < 2; ++p) {
    const poker::Range range = poker::parse_range(ranges[p]);
    for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
      const CardSet hand = poker::combo_cards(combo);
      if (range.weight[combo] == 0 || (hand & spot.setup.board) != 0) continue;
      spot.setup.hands[p].push_back(hand);
      spot.reach[p].push_back(range.weight[combo]);
    }
  }
  double pairs = 0;
  for (size_t i = 0; i < spot.reach[0].size(); ++i) {
    for (size_t j = 0; j < spot.reach[1].size(); ++j) {
      if (spot.setup.hands[0][i] & spot.setup.hands[1][j]) continue;
      pairs += spot.reach[0][i] * spot.reach[1][j];
    }
  }
  spot.setup.pair_weight = 1 / pairs;
  return spot;
}

// What both vectors together are worth.
inline double worth(const std::vector<double>& reach, const std::vector<double>& values) {
  double sum = 0;
  for (size_t i = 0; i < reach.size(); ++i) sum += reach[i] * values[i];
  return sum;
}

struct SpotState {
  uint8_t dealt = 0;  // whether hands are
  uint16_t hand[2] = {0, 0};
  CardSet board = 0;
  uint64_t order = 0;  // in which the board was dealt
  uint32_t node = 0;
};

// Weights must be multiples of 1/4.
class SpotGame final : public games::TypedGame<SpotState> {
 public:
  explicit SpotGame(const Spot& spot) : setup_(spot.setup) {
    for (size_t i = 0; i < setup_.hands[0].size(); ++i) {
      for (size_t j = 0; j < setup_.hands[1].size(); ++j) {
        if (setup_.hands[0][i] & setup_.hands[1][j]) continue;
        const auto quarters = static_cast<int64_t>(16 * spot.reach[0][i] * spot.reach[1][j]);
        pairs_.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(j), quarters});
        total_ += quarters;
      }
    }
    for (const int n : setup_.deals) board_cards_ += n;
    board_cards_ += std::popcount(setup_.board);
  }
  std::string name() const override { return "spot"; }

 protected:
  SpotState initial() const override {
    SpotState state;
    state.board = setup_.board;
    return state;
  }
  games::Turn turn(const SpotState& s) const override {
    if (!s.dealt) return {games::kChance, static_cast<int>(pairs_.size())};
    if (deals(s)) return {games::kChance, std::popcount(left(s))};
    if (node(s).kind != Kind::kDecision) return {games::kTerminal, 0};
    return {node(s).player, node(s).num_children};
  }
  void apply(SpotState& s, int action) const override {
    if (!s.dealt) {
      s.dealt = 1;
      s.hand[0] = pairs_[static_cast<size_t>(action)].first;
      s.hand[1] = pairs_[static_cast<size_t>(action)].second;
    } else if (deals(s)) {
      const poker::Card card = poker::cards_in(left(s))[static_cast<size_t>(action)];
      s.board |= poker::set_of(card);
      s.order = s.order * 64 + card;
      if (node(s).kind == Kind::kDeal) s.node = node(s).first_child;
    } else {
      s.node = node(s).first_child + static_cast<uint32_t>(action);
    }
  }
  core::Rational chance_probability(const SpotState& s, int action) const override {
    if (!s.dealt) return {pairs_[static_cast<size_t>(action)].weight, total_};
    return {1, std::popcount(left(s))};
  }
  core::Rational payoff(const SpotState& s, int player) const override {
    const auto p = setup_.tree.payoffs(s.node, player);
    if (node(s).kind == Kind::kFold) return core::Rational::from_double(p.win);
    const auto own = poker::strength_of(hole(s, player) | s.board);
    const auto its = poker::strength_of(hole(s, 1 - player) | s.board);
    return core::Rational::from_double(own > its ? p.win : own < its ? p.lose : p.tie);
  }
  core::Hash128 infoset_key(const SpotState& s) const override {
    return core::Hasher().add(s.node).add(s.hand[node(s).player]).add(s.order).finish();
  }
  std::string infoset_label(const SpotState& s) const override {
    return std::to_string(s.node) + poker::to_text(hole(s, node(s).player)) +
           std::to_string(s.order);
  }
  std::string action_label(const SpotState&, int action) const override {
    return std::to_string(action);
  }

 private:
  using Kind = poker::BettingNode::Kind;
  struct Pair {
    uint16_t first, second;
    int64_t weight;
  };
  const poker::BettingNode& node(const SpotState& s) const { return setup_.tree.nodes[s.node]; }
  CardSet hole(const SpotState& s, int player) const {
    return setup_.hands[static_cast<size_t>(player)][s.hand[player]];
  }
  CardSet left(const SpotState& s) const {
    return setup_.deck & ~(s.board | hole(s, 0) | hole(s, 1));
  }
  bool deals(const SpotState& s) const {
    return node(s).kind == Kind::kDeal ||
           (node(s).kind == Kind::kShowdown && std::popcount(s.board) < board_cards_);
  }

  Setup setup_;
  std::vector<Pair> pairs_;
  int64_t total_ = 0;
  int board_cards_ = 0;
};

}  // namespace cleave::hands
