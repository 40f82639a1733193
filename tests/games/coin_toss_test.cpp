#include <gtest/gtest.h>

#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(CoinTossTest, Counts) {
  const WalkResult result = walk(*make_game("coin_toss"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 13);
  EXPECT_EQ(result.infosets[0], 2);
  EXPECT_EQ(result.infosets[1], 1);
}

TEST(CoinTossTest, PaysAsInThePaper) {
  const auto game = make_game("coin_toss");
  EXPECT_EQ(situation(*game, {"heads"}), "1: heads: sell play");
  EXPECT_EQ(situation(*game, {"heads", "sell"}), "terminal: 1/2");
  EXPECT_EQ(situation(*game, {"tails", "sell"}), "terminal: -1/2");
  EXPECT_EQ(situation(*game, {"tails", "play"}), "2: play: heads tails forfeit");
  EXPECT_EQ(situation(*game, {"heads", "play", "heads"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"heads", "play", "tails"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"tails", "play", "tails"}), "terminal: -1");
  EXPECT_EQ(situation(*game, {"tails", "play", "forfeit"}), "terminal: 1");
}

TEST(CoinTossTest, SellPayoffsAreExact) {
  const auto game = make_game("coin_toss(sell_heads=1/3,sell_tails=7)");
  EXPECT_EQ(situation(*game, {"heads", "sell"}), "terminal: 1/3");
  EXPECT_EQ(situation(*game, {"tails", "sell"}), "terminal: 7");
  EXPECT_EQ(game->name(), "coin_toss(sell_heads=1/3,sell_tails=7)");
}

// The trunk of the paper: player 2's best replies and player 1's values follow by hand.
TEST(CoinTossTest, PlayIsWorthWhatThePaperSaysAgainstTheTrunk) {
  const auto game = make_game("coin_toss");
  const auto value_of_play = [&](const std::string& coin) {
    const Policy policy = [&](int player, const std::string& infoset, const std::string& action) {
      if (player == 0) return (action == "play") == (infoset == coin) ? 1.0 : 0.0;
      return action == "heads" ? 0.5 : 0.25;
    };
    // The other side sells; take its half of the expectation away again.
    const double sold = coin == "heads" ? -0.5 : 0.5;
    return 2 * expected_value(*game, 0, policy) - sold;
  };
  EXPECT_DOUBLE_EQ(value_of_play("heads"), 0);
  EXPECT_DOUBLE_EQ(value_of_play("tails"), 0.5);
}

}  // namespace
}  // namespace cleave::games
