#include "hands/played_hand.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "door/hand.h"
#include "poker/spot.h"

namespace cleave::hands {
namespace {

constexpr const char* kSpot = R"(board = "Td9d6h"
pot = 100
stack = 150
[range]
oop = "AA,KK:0.5,QJs"
ip = "AKs,JJ"
[sizes]
bet = "75%,a"
raise = "a"
)";

Problem spot_problem() { return make_problem(poker::parse_spot(kSpot, "spot")); }

void play(PlayedHand& hand, core::Random& random) {
  door::play_on(hand, random, [&](size_t) {
    return std::optional<size_t>(random.below(hand.node().num_children));
  });
}

TEST(PlayedHand, EveryHandEndsAndSumsToNothing) {
  const Problem problem = spot_problem();
  const Dealer dealer(problem);
  core::Random random(3);
  size_t showdowns = 0, early = 0;
  for (int i = 0; i < 500; ++i) {
    PlayedHand hand(problem, dealer.deal(random));
    play(hand, random);
    EXPECT_EQ(hand.actor(), games::kTerminal);
    EXPECT_DOUBLE_EQ(hand.payoff(0) + hand.payoff(1), 0);
    poker::CardSet all = hand.cards(0) | hand.cards(1);
    for (const poker::Card card : hand.board()) all |= poker::set_of(card);
    EXPECT_EQ(static_cast<size_t>(std::popcount(all)), 4 + hand.board().size()) << "a card twice";
    if (hand.node().kind != poker::BettingNode::Kind::kShowdown) continue;
    ++showdowns;
    early += hand.node().street < 2 ? 1 : 0;
    EXPECT_EQ(hand.board().size(), 5U);
    EXPECT_EQ(hand.payoff(0) > 0, hand.strength(0) > hand.strength(1));
  }
  EXPECT_GT(showdowns, 50U);
  EXPECT_GT(early, 10U);  // all in, the rest is dealt out
}

TEST(PlayedHand, TheLineLeadsThere) {
  const Problem problem = spot_problem();
  const Layout layout = make_layout(sketch_layout(problem.setup), 1);
  const Dealer dealer(problem);
  core::Random random(4);
  size_t deals = 0;
  for (int i = 0; i < 100; ++i) {
    PlayedHand hand(problem, dealer.deal(random));
    door::play_on(hand, random, [&](size_t player) {
      const Address at = find_address(layout, hand.line());
      const Node& node = layout.streets[static_cast<size_t>(at.street)].nodes[at.node];
      EXPECT_EQ(&problem.setup.tree.nodes[node.source] - &hand.node(), 0);
      EXPECT_EQ(node.player, static_cast<int>(player));
      deals += at.street > 0 ? 1 : 0;
      return std::optional<size_t>(random.below(hand.node().num_children));
    });
  }
  EXPECT_GT(deals, 50U);
}

TEST(PlayedHand, WaitsForWhoeverIsNotPlayedFor) {
  const Problem problem = spot_problem();
  core::Random random(1);
  PlayedHand hand(problem, Dealer(problem).deal(random));
  door::play_on(hand, random, [&](size_t player) {
    return player == 1 ? std::nullopt : std::optional<size_t>(0);
  });
  EXPECT_EQ(hand.actor(), 1);
  ASSERT_EQ(hand.events().size(), 1U);
  EXPECT_EQ(hand.events()[0].text, "check");
}

// Pairs of hands by the product of their weights, none with a card in common.
TEST(Dealer, DealsByTheRanges) {
  constexpr int kDeals = 40000;
  const Problem problem = spot_problem();
  const Dealer dealer(problem);
  const auto& hands = problem.setup.hands;
  double total = 0;
  std::map<std::pair<poker::CardSet, poker::CardSet>, double> expected;
  for (size_t i = 0; i < hands[0].size(); ++i) {
    for (size_t j = 0; j < hands[1].size(); ++j) {
      if ((hands[0][i] & hands[1][j]) != 0) continue;
      const double weight = problem.reach[0][i] * problem.reach[1][j];
      expected[{hands[0][i], hands[1][j]}] = weight;
      total += weight;
    }
  }
  std::map<std::pair<poker::CardSet, poker::CardSet>, int> count;
  core::Random random(9);
  for (int i = 0; i < kDeals; ++i) {
    const auto [one, two] = dealer.deal(random);
    ++count[{one, two}];
  }
  for (const auto& [pair, times] : count) EXPECT_TRUE(expected.contains(pair));
  for (const auto& [pair, weight] : expected) {
    const double p = weight / total;
    EXPECT_NEAR(count[pair], kDeals * p, 5 * std::sqrt(kDeals * p * (1 - p)));
  }
}

}  // namespace
}  // namespace cleave::hands
