#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(RpsTest, Counts) {
  const WalkResult result = walk(*make_game("rps"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 13);
  EXPECT_EQ(result.infosets[0], 1);
  EXPECT_EQ(result.infosets[1], 1);
}

TEST(RpsTest, WinnerGetsTheWeightOfTheWinningAction) {
  const auto game = make_game("rps(weights=2:3:1/2)");
  EXPECT_EQ(situation(*game, {}), "1: start: rock paper scissors");
  EXPECT_EQ(situation(*game, {"rock"}), "2: reply: rock paper scissors");
  EXPECT_EQ(situation(*game, {"rock", "rock"}), "terminal: 0");
  EXPECT_EQ(situation(*game, {"rock", "scissors"}), "terminal: 2");
  EXPECT_EQ(situation(*game, {"scissors", "rock"}), "terminal: -2");
  EXPECT_EQ(situation(*game, {"paper", "rock"}), "terminal: 3");
  EXPECT_EQ(situation(*game, {"paper", "scissors"}), "terminal: -1/2");
  EXPECT_EQ(situation(*game, {"scissors", "paper"}), "terminal: 1/2");
}

TEST(RpsTest, StatedEquilibriumLeavesTheOpponentNothing) {
  // Proportional to the weights of (scissors, rock, paper) = (1/2, 2, 3).
  const auto game = make_game("rps(weights=2:3:1/2)");
  for (const char* answer : {"rock", "paper", "scissors"}) {
    const Policy policy = [&](int player, const std::string&, const std::string& action) {
      if (player == 1) return action == answer ? 1.0 : 0.0;
      return (action == "rock" ? 0.5 : action == "paper" ? 2.0 : 3.0) / 5.5;
    };
    EXPECT_NEAR(expected_value(*game, 1, policy), 0, 1e-15) << answer;
  }
}

TEST(RpsTest, NeedsThreeWeights) { EXPECT_THROW(make_game("rps(weights=1:2)"), core::InputError); }

}  // namespace
}  // namespace cleave::games
