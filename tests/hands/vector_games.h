#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <memory>
#include <optional>

#include "core/hash.h"
#include "games/poker_game.h"
#include "games/registry.h"
#include "hands/problem.h"
#include "histories/piece.h"
#include "poker/evaluator.h"

// One game on both engines. What stands where is worked out by walking the compiled game and the
// betting tree side by side; nothing is taken from the engines themselves.
namespace cleave::hands {

using decompose::Vectors;
using poker::CardSet;

// What has happened at a history.
struct Moment {
  std::array<CardSet, 2> hole = {};
  CardSet board = 0;
  CardSet newest = 0;  // what was dealt of the board last
  uint32_t node = 0;   // of the betting tree
  uint64_t deals = 0;  // stands for all cards dealt to the board, in their order
};

inline uint64_t add_deal(uint64_t deals, CardSet cards) {
  return core::Hasher().add(deals).add(cards).finish().lo;
}

// The index-th set of `count` cards; sets with the lowest cards come first.
inline CardSet nth_set(CardSet from, int count, uint32_t index) {
  if (count == 0) return 0;
  std::vector<CardSet> sets;
  const auto extend = [&](auto& self, CardSet left, CardSet chosen, int more) -> void {
    if (more == 0) return sets.push_back(chosen);
    for (; left != 0;) {
      const CardSet lowest = left & (~left + 1);
      left ^= lowest;
      self(self, left, chosen | lowest, more - 1);
    }
  };
  extend(extend, from, 0, count);
  return sets.at(index);
}

// Every end of the game gets stakes of its own, up to a quarter higher than by the rules, in units
// of 1 / kUnitsPerChip. No two ways to play are then worth the same. (Else, once a player always
// folds, all bets are, and rounding chooses among them.) A line of play has the same stakes in
// every tree that has it.
inline constexpr poker::Chips kUnitsPerChip = 1'000'000;
inline void make_stakes_odd(poker::BettingTree& tree, uint64_t seed) {
  const poker::Chips pot = tree.betting.pot;
  tree.betting.pot *= kUnitsPerChip;
  for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
    poker::BettingNode& node = tree.nodes[n];
    const bool ends = node.kind == poker::BettingNode::Kind::kFold ||
                      node.kind == poker::BettingNode::Kind::kShowdown;
    const std::string line = line_of(tree, n);
    core::Hasher hasher;
    hasher.add(seed).add_bytes(std::as_bytes(std::span(line)));
    const auto odd = static_cast<poker::Chips>(hasher.finish().lo % (kUnitsPerChip / 4));
    for (poker::Chips& put : node.put) {
      put = put * kUnitsPerChip + (ends ? (pot + 2 * put) * odd / 2 : 0);
    }
  }
}

class Twin {
 public:
  // `other`: the same game under another name; none: the definition itself.
  explicit Twin(const poker::Definition& definition, const std::optional<poker::Sizes>& sizes = {},
                const char* other = nullptr)
      : game(other ? games::make_game(other) : games::make_poker_game({definition, sizes, {}})),
        problem(solve::make_problem(*game)),
        setup(make_setup(definition, sizes)) {
    walk();
    const tree::Tree& tree = problem.tree;
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      const Moment& at = places[tree.first_history[set]];
      const auto player = static_cast<size_t>(tree.player(set));
      sets[{player, at.node, at.board, at.newest, at.hole[player]}] = set;
      sets_after[{player, at.node, at.deals, at.hole[player]}] = set;
    }
  }

  void make_stakes_odd(uint64_t seed) {
    hands::make_stakes_odd(setup.tree, seed);
    tree::Tree tree = std::move(problem.tree);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] == tree::kTerminal) tree.payoff[tree.infoset[h]] = payoff(h);
    }
    problem = solve::make_problem(std::move(tree));
  }

  // Player one's at the end of a history.
  double payoff(uint32_t history) const {
    const Moment& at = places[history];
    const auto payoffs = setup.tree.payoffs(at.node, 0);
    const auto mine = poker::strength_of(at.hole[0] | at.board);
    const auto theirs = poker::strength_of(at.hole[1] | at.board);
    return mine > theirs ? payoffs.win : mine < theirs ? payoffs.lose : payoffs.tie;
  }

  const poker::BettingNode& node(uint32_t history) const {
    return setup.tree.nodes[places[history].node];
  }

  // Histories where the board is about to be dealt and play goes on after it, once the street ends.
  std::vector<uint32_t> deals_of(int street) const {
    std::vector<uint32_t> out;
    for (uint32_t h = 0; h < places.size(); ++h) {
      if (node(h).kind == poker::BettingNode::Kind::kDeal && node(h).street == street) {
        out.push_back(h);
      }
    }
    return out;
  }
  // Histories with both hands dealt and nothing played yet.
  std::vector<uint32_t> starts() const {
    std::vector<uint32_t> out;
    for (uint32_t h = 0; h < places.size(); ++h) {
      if (places[h].node == 0 && places[h].hole[1] != 0) out.push_back(h);
    }
    return out;
  }

  // Where an information set of the whole game is. Two deals at most: of three the order is lost.
  uint32_t set_at(size_t player, uint32_t at, CardSet board, CardSet newest, CardSet hand) const {
    return sets.at({player, at, board, newest, hand});
  }

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  Setup setup;
  std::vector<Moment> places;  // [history]
  std::map<std::tuple<size_t, uint32_t, CardSet, CardSet, CardSet>, uint32_t> sets;
  std::map<std::tuple<size_t, uint32_t, uint64_t, CardSet>, uint32_t> sets_after;  // any deals

 private:
  // Cards that chance deals next.
  int due(const Moment& at) const {
    if (at.hole[0] == 0 || at.hole[1] == 0) return setup.hole_cards;
    const poker::BettingNode& n = setup.tree.nodes[at.node];
    size_t end = n.street + size_t{1};
    if (n.kind == poker::BettingNode::Kind::kDeal) ++end;
    if (n.kind == poker::BettingNode::Kind::kShowdown) end = setup.deals.size();
    int cards = -std::popcount(at.board);
    for (size_t s = 0; s < end; ++s) cards += setup.deals[s];
    return cards;
  }

  void walk() {
    const tree::Tree& tree = problem.tree;
    places.resize(tree.num_histories());
    for (uint32_t h = 1; h < tree.num_histories(); ++h) {
      Moment at = places[tree.parent[h]];
      const poker::BettingNode& n = setup.tree.nodes[at.node];
      if (tree.actor[tree.parent[h]] == tree::kChance) {
        const CardSet left = setup.deck & ~(at.hole[0] | at.hole[1] | at.board);
        const CardSet cards = nth_set(left, due(at), tree.action(h));
        if (at.hole[0] == 0) {
          at.hole[0] = cards;
        } else if (at.hole[1] == 0) {
          at.hole[1] = cards;
        } else {
          at.board |= cards;
          at.newest = cards;
          at.deals = add_deal(at.deals, cards);
        }
        if (n.kind == poker::BettingNode::Kind::kDeal) at.node = n.first_child;
      } else {
        at.node = n.first_child + tree.action(h);
      }
      places[h] = at;
    }
  }
};

// The vector engine's game for pieces. Where suits are merged, whatever is played and sent must be
// the same for all renamings of them.
inline std::shared_ptr<const Problem> make_problem(const Twin& twin, int merged_suits = 1) {
  auto problem = std::make_shared<Problem>();
  problem->name = "twin";
  problem->setup = twin.setup;
  problem->setup.symmetry = poker::all_suit_maps(merged_suits);
  problem->setup.merge_hands = merged_suits > 1;
  for (size_t p = 0; p < 2; ++p) problem->reach[p].assign(twin.setup.hands[p].size(), 1.0);
  for (size_t s = 1; s <= twin.setup.deals.size(); ++s) {
    problem->street_names.push_back("round " + std::to_string(s));
  }
  return problem;
}

// How the private states of a border and the hands of a setup correspond. Several hands may be one
// state: a player who has not acted yet is told nothing apart by the tree engine.
class Match {
 public:
  Match(const Twin& twin, const histories::Border& border,
        const std::array<std::vector<CardSet>, 2>& hands) {
    for (size_t p = 0; p < 2; ++p) {
      num_states_[p] = border.states[p].size();
      state[p].assign(hands[p].size(), tree::kNone);
      for (size_t i = 0; i < border.histories.size(); ++i) {
        const CardSet cards = twin.places[border.histories[i]].hole[p];
        const auto at = static_cast<size_t>(std::find(hands[p].begin(), hands[p].end(), cards) -
                                            hands[p].begin());
        uint32_t& entry = state[p].at(at);
        EXPECT_TRUE(entry == tree::kNone || entry == border.state_of[p][i]);
        entry = border.state_of[p][i];
      }
      EXPECT_EQ(std::count(state[p].begin(), state[p].end(), tree::kNone), 0);
    }
  }

  bool one_to_one() const {
    return state[0].size() == num_states_[0] && state[1].size() == num_states_[1];
  }
  std::vector<double> to_hands(size_t p, const std::vector<double>& by_state) const {
    std::vector<double> out;
    for (const uint32_t s : state[p]) out.push_back(by_state[s]);
    return out;
  }
  Vectors to_hands(const Vectors& by_state) const {
    return {to_hands(0, by_state[0]), to_hands(1, by_state[1])};
  }
  // Counterfactual values of a state are those of its hands together.
  std::vector<double> to_states(size_t p, const std::vector<double>& by_hand) const {
    std::vector<double> out(num_states_[p], 0.0);
    for (size_t i = 0; i < by_hand.size(); ++i) out[state[p][i]] += by_hand[i];
    return out;
  }

  std::array<std::vector<uint32_t>, 2> state;  // [player][hand]

 private:
  std::array<size_t, 2> num_states_ = {};
};

inline poker::Definition leduc() {
  poker::Definition d;
  d.name = "leduc";
  d.limit = true;
  d.stack = {1000, 1000};
  d.blind = {1, 1};
  d.ranks = 3;
  d.suits = 2;
  d.hole_cards = 1;
  d.rounds = {{0, 0, 2, 2}, {1, 0, 2, 4}};
  return d;
}

// Blinds of 1 and 2 and 9 chips each: all in is possible on both streets.
inline poker::Definition small_nolimit() {
  poker::Definition d = leduc();
  d.name = "small";
  d.limit = false;
  d.stack = {9, 9};
  d.blind = {2, 1};
  d.rounds = {{0, 1, 255, 0}, {1, 0, 255, 0}};
  return d;
}

// Hands of two cards, so that hands may share one or both.
inline poker::Definition two_cards() {
  poker::Definition d = small_nolimit();
  d.name = "two cards";
  d.stack = {7, 7};
  d.hole_cards = 2;
  return d;
}

inline poker::Definition three_streets() {
  poker::Definition d = leduc();
  d.name = "three streets";
  d.rounds = {{0, 0, 1, 2}, {1, 1, 1, 2}, {1, 0, 1, 4}};
  return d;
}

inline const poker::Sizes kHalfOrAllIn = {{poker::Size::Kind::kPot, 50},
                                          {poker::Size::Kind::kAllIn}};

// Five ranks, two suits, three streets, all in everywhere.
inline poker::Definition all_in_streets() {
  poker::Definition d = leduc();
  d.name = "all in";
  d.limit = false;
  d.ranks = 5;
  d.stack = {7, 7};
  d.blind = {2, 1};
  d.rounds = {{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}};
  return d;
}

// Four ranks, two suits, four streets, all in or nothing.
inline poker::Definition four_streets() {
  poker::Definition d = all_in_streets();
  d.name = "four streets";
  d.ranks = 4;
  d.rounds = {{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}};
  return d;
}
inline const poker::Sizes kAllInOnly = {{poker::Size::Kind::kAllIn}};

}  // namespace cleave::hands
