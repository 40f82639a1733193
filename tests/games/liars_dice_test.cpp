#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(LiarsDiceTest, DefaultHasThePublishedCounts) {
  const WalkResult result = walk(*make_game("liars_dice"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 294883);
  EXPECT_EQ(result.all_infosets(), 24576);
}

TEST(LiarsDiceTest, OtherDiceFollowTheFormula) {
  struct Case {
    int dice, faces;
    int64_t rolls;
  };
  for (const Case& c :
       {Case{1, 2, 2}, Case{1, 4, 4}, Case{2, 2, 3}, Case{2, 3, 6}, Case{3, 2, 4}}) {
    const WalkResult result =
        walk(*make_game(fmt::format("liars_dice(dice={},faces={})", c.dice, c.faces)));
    const int bids = 2 * c.dice * c.faces;
    EXPECT_TRUE(result.errors.empty()) << describe(result);
    EXPECT_EQ(result.histories, 1 + c.rolls + c.rolls * c.rolls * ((int64_t{2} << bids) - 1));
    EXPECT_EQ(result.all_infosets(), c.rolls << bids);
  }
}

TEST(LiarsDiceTest, RollsHaveMultinomialProbabilities) {
  const auto game = make_game("liars_dice(dice=3,faces=6)");
  const auto root = state_after(*game, {});
  std::map<std::string, core::Rational> probability;
  const int rolls = game->turn(root.data()).num_actions;
  for (int a = 0; a < rolls; ++a) {
    probability[game->action_label(root.data(), a)] = game->chance_probability(root.data(), a);
  }
  EXPECT_EQ(rolls, 56);
  EXPECT_EQ(probability.at("1.1.1"), core::Rational(1, 216));
  EXPECT_EQ(probability.at("1.1.6"), core::Rational(3, 216));
  EXPECT_EQ(probability.at("2.4.4"), core::Rational(3, 216));
  EXPECT_EQ(probability.at("1.2.3"), core::Rational(6, 216));
}

TEST(LiarsDiceTest, PaysByHand) {
  const auto game = make_game("liars_dice");
  EXPECT_EQ(situation(*game, {"3", "5", "1x3", "liar"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"3", "5", "1x4", "liar"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"3", "6", "2x3", "liar"}), "terminal: 1");   // six is wild
  EXPECT_EQ(situation(*game, {"3", "6", "2x6", "liar"}), "terminal: -1");  // but a six is a six
  EXPECT_EQ(situation(*game, {"3", "5", "1x3", "1x5", "liar"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"3", "5", "1x3", "2x5", "liar"}), "terminal: 1");
  EXPECT_EQ(situation(*make_game("liars_dice(dice=2,faces=3)"), {"1.3", "1.2", "3x1", "liar"}),
            "terminal: 1");
}

TEST(LiarsDiceTest, BidsRiseAndLiarNeedsABid) {
  const auto game = make_game("liars_dice(dice=1,faces=3)");
  EXPECT_EQ(situation(*game, {}), "chance: 1 2 3");
  EXPECT_EQ(situation(*game, {"1", "2"}), "1: 1:: 1x1 1x2 1x3 2x1 2x2 2x3");
  EXPECT_EQ(situation(*game, {"1", "2", "1x3"}), "2: 2:1x3: 2x1 2x2 2x3 liar");
  EXPECT_EQ(situation(*game, {"1", "2", "1x3", "2x3"}), "1: 1:1x3|2x3: liar");
}

TEST(LiarsDiceTest, TheLargestBidMaskStillWorks) {
  const auto game = make_game("liars_dice(dice=1,faces=32)");
  EXPECT_EQ(situation(*game, {"32", "7", "2x31", "2x32"}), "1: 32:2x31|2x32: liar");
  EXPECT_EQ(situation(*game, {"32", "7", "2x31", "2x32", "liar"}), "terminal: 1");
  EXPECT_THROW(make_game("liars_dice(dice=1,faces=33)"), core::InputError);
  EXPECT_THROW(make_game("liars_dice(dice=6,faces=6)"), core::InputError);
  EXPECT_THROW(make_game("liars_dice(dice=0)"), core::InputError);
  EXPECT_THROW(make_game("liars_dice(dice=1,faces=1073741824)"), core::InputError);
}

}  // namespace
}  // namespace cleave::games
