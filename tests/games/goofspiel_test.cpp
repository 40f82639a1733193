#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(GoofspielTest, DefaultHasThePublishedCounts) {
  const WalkResult result = walk(*make_game("goofspiel"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 1077);
  EXPECT_EQ(result.terminals, 576);
  EXPECT_EQ(result.infosets[0], 81);
  EXPECT_EQ(result.infosets[1], 81);
}

TEST(GoofspielTest, VariantsKeepTheContract) {
  for (const char* spec :
       {"goofspiel(prizes=ascending)", "goofspiel(prizes=random)", "goofspiel(reveal=true)",
        "goofspiel(cards=3,prizes=random,reveal=true,payoff=points)", "goofspiel(cards=2)"}) {
    const auto game = make_game(spec);
    const WalkResult result = walk(*game);
    EXPECT_TRUE(result.errors.empty()) << game->name() << "\n" << describe(result);
  }
}

// With both bids shown, a player's information is everything but the bid under way: after i rounds
// of n cards there are (n! / (n - i)!)^2 information sets.
TEST(GoofspielTest, RevealedBidsCountAsPairs) {
  EXPECT_EQ(walk(*make_game("goofspiel(reveal=true)")).infosets[1], 1 + 16 + 144);
}

TEST(GoofspielTest, RandomPrizesMultiplyTheTree) {
  // Level by level: a prize, then both bids, for 4, 3 and 2 cards.
  const int64_t expected = 1 + 4 + 16 + 64 + 192 + 576 + 1728 + 3456 + 6912 + 13824;
  EXPECT_EQ(walk(*make_game("goofspiel(prizes=random)")).histories, expected);
}

TEST(GoofspielTest, PaysByHand) {
  const auto game = make_game("goofspiel");
  const auto points = make_game("goofspiel(payoff=points)");
  // 4: 4 beats 3; 3: 1 loses to 4; 2: 2 ties 2; the last round is 3 against 1 for prize 1.
  const std::vector<std::string> close = {"4", "3", "1", "4", "2", "2"};
  EXPECT_EQ(situation(*game, close), "terminal: 1");
  EXPECT_EQ(situation(*points, close), "terminal: 2");
  // 4: 1 loses to 4; 3: 4 beats 3; 2: 3 beats 2; 1: 2 beats 1.
  const std::vector<std::string> ahead = {"1", "4", "4", "3", "3", "2"};
  EXPECT_EQ(situation(*game, ahead), "terminal: 1");
  EXPECT_EQ(situation(*points, ahead), "terminal: 2");
  // All rounds tied.
  EXPECT_EQ(situation(*game, {"1", "1", "2", "2", "3", "3"}), "terminal: 0");
  // The same bids for ascending prizes 1, 2, 3, 4: -1 + 2 + 3 + 4.
  EXPECT_EQ(situation(*make_game("goofspiel(prizes=ascending,payoff=points)"), ahead),
            "terminal: 8");
  // Prizes 2, 4, 1 and then 3: 2 lost, 4 and 1 and 3 won.
  EXPECT_EQ(situation(*make_game("goofspiel(prizes=random,payoff=points)"),
                      {"prize2", "1", "4", "prize4", "4", "3", "prize1", "3", "2"}),
            "terminal: 6");
}

TEST(GoofspielTest, LabelsByHand) {
  const auto game = make_game("goofspiel");
  EXPECT_EQ(situation(*game, {}), "1: start: 1 2 3 4");
  EXPECT_EQ(situation(*game, {"3"}), "2: start: 1 2 3 4");
  EXPECT_EQ(situation(*game, {"3", "1"}), "1: 3w: 1 2 4");
  EXPECT_EQ(situation(*game, {"3", "1", "2"}), "2: 1l: 2 3 4");
  EXPECT_EQ(situation(*game, {"3", "1", "2", "2"}), "1: 3w|2d: 1 4");
  const auto open = make_game("goofspiel(prizes=random,reveal=true)");
  EXPECT_EQ(situation(*open, {"prize4", "3", "1"}), "chance: prize1 prize2 prize3");
  EXPECT_EQ(situation(*open, {"prize4", "3", "1", "prize2", "2"}), "2: 4:1-3|2:: 2 3 4");
}

TEST(GoofspielTest, RefusesBadParameters) {
  EXPECT_THROW(make_game("goofspiel(cards=1)"), core::InputError);
  EXPECT_THROW(make_game("goofspiel(cards=14)"), core::InputError);
  EXPECT_THROW(make_game("goofspiel(prizes=sideways)"), core::InputError);
  EXPECT_THROW(make_game("goofspiel(payoff=gold)"), core::InputError);
}

}  // namespace
}  // namespace cleave::games
