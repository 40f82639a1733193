#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(KuhnTest, HasThePublishedCounts) {
  const WalkResult result = walk(*make_game("kuhn"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 58);
  EXPECT_EQ(result.terminals, 30);
  EXPECT_EQ(result.infosets[0], 6);
  EXPECT_EQ(result.infosets[1], 6);
}

TEST(KuhnTest, LargerDecksFollowTheFormula) {
  for (const int n : {2, 4, 13, 60}) {
    const WalkResult result = walk(*make_game(fmt::format("kuhn(cards={})", n)));
    EXPECT_TRUE(result.errors.empty()) << describe(result);
    EXPECT_EQ(result.histories, 1 + n + 9 * n * (n - 1));
    EXPECT_EQ(result.all_infosets(), 4 * n);
  }
}

TEST(KuhnTest, PaysByHand) {
  const auto game = make_game("kuhn");
  EXPECT_EQ(situation(*game, {"K", "Q", "check", "check"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"J", "Q", "check", "check"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"J", "K", "bet", "fold"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"J", "K", "bet", "call"}), "terminal: -2");
  EXPECT_EQ(situation(*game, {"K", "J", "check", "bet", "fold"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"K", "J", "check", "bet", "call"}), "terminal: 2");
}

TEST(KuhnTest, LabelsSayWhatThePlayerKnows) {
  const auto game = make_game("kuhn");
  EXPECT_EQ(situation(*game, {}), "chance: J Q K");
  EXPECT_EQ(situation(*game, {"Q"}), "chance: J K");
  EXPECT_EQ(situation(*game, {"Q", "J"}), "1: Q:: check bet");
  EXPECT_EQ(situation(*game, {"Q", "J", "bet"}), "2: J:b: fold call");
  EXPECT_EQ(situation(*game, {"Q", "J", "check", "bet"}), "1: Q:cb: fold call");
}

// Kuhn's equilibrium in which player 1 never bets first.
TEST(KuhnTest, KnownEquilibriumIsWorthMinusOneEighteenth) {
  const std::map<std::string, double> aggressive = {
      {"J:", 0},        {"Q:", 0},  {"K:", 0},  {"J:cb", 0}, {"Q:cb", 1.0 / 3}, {"K:cb", 1},
      {"J:c", 1.0 / 3}, {"Q:c", 0}, {"K:c", 1}, {"J:b", 0},  {"Q:b", 1.0 / 3},  {"K:b", 1}};
  const Policy policy = [&](int, const std::string& infoset, const std::string& action) {
    const double p = aggressive.at(infoset);
    return action == "bet" || action == "call" ? p : 1 - p;
  };
  EXPECT_NEAR(expected_value(*make_game("kuhn"), 0, policy), -1.0 / 18, 1e-15);
}

TEST(KuhnTest, RefusesBadDecks) {
  EXPECT_THROW(make_game("kuhn(cards=1)"), core::InputError);
  EXPECT_THROW(make_game("kuhn(cards=61)"), core::InputError);
}

}  // namespace
}  // namespace cleave::games
