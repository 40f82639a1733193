#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(RandomGameTest, DefaultIsAFullTree) {
  const WalkResult result = walk(*make_game("random"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 364);  // (3^6 - 1) / 2
  EXPECT_EQ(result.terminals, 243);
  EXPECT_EQ(result.chance_nodes, 0);
}

TEST(RandomGameTest, KeepsTheContractInEveryShape) {
  int64_t chance_nodes = 0;
  std::set<int64_t> sizes;
  for (int seed = 0; seed < 200; ++seed) {
    const int depth = 1 + seed % 7;
    const auto game = make_game(fmt::format(
        "random(depth={},branching={},observations={},seed={},vary={},chance={},stop={})", depth,
        2 + seed % 3, 1 + seed % 4, seed, seed % 2 == 1, seed % 5 * 0.2, seed % 3 * 0.15));
    const WalkResult result = walk(*game);
    EXPECT_TRUE(result.errors.empty()) << game->name() << "\n" << describe(result);
    EXPECT_LE(result.max_depth, depth);
    chance_nodes += result.chance_nodes;
    sizes.insert(result.histories);
  }
  EXPECT_GT(chance_nodes, 0);
  EXPECT_GT(sizes.size(), 50U);
}

TEST(RandomGameTest, SeedsDifferAndRepeat) {
  const auto payoffs = [](int64_t seed) {
    const auto game = make_game(fmt::format("random(seed={})", seed));
    std::vector<std::string> all;
    for_each_state(*game, [&](const std::byte* state, Turn turn) {
      if (turn.actor == kTerminal) all.push_back(game->payoff(state, 0).to_string());
    });
    return all;
  };
  EXPECT_EQ(payoffs(1), payoffs(1));
  EXPECT_NE(payoffs(1), payoffs(2));
}

// Utilities of one action are uniform in (-2, 2): mean 0, variance 16 / 12.
TEST(RandomGameTest, UtilitiesAreUniform) {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  const int games = 2000;
  for (int seed = 0; seed < games; ++seed) {
    const auto game = make_game(fmt::format("random(depth=1,branching=2,seed={})", seed));
    const double utility = game->payoff(state_after(*game, {"a"}).data(), 0).to_double();
    sum += utility;
    squares += utility * utility;
    largest = std::max(largest, std::abs(utility));
  }
  EXPECT_NEAR(sum / games, 0, 0.1);
  EXPECT_NEAR(squares / games, 4.0 / 3, 0.1);
  EXPECT_LT(largest, 2);
  EXPECT_GT(largest, 1.95);
}

TEST(RandomGameTest, PayoffIsTheSumOfTheActions) {
  // The first action's utility does not depend on the depth.
  const auto one = make_game("random(depth=1)");
  const auto two = make_game("random(depth=2)");
  const double first = one->payoff(state_after(*one, {"b"}).data(), 0).to_double();
  for (const char* second : {"a", "b", "c"}) {
    const double both = two->payoff(state_after(*two, {"b", second}).data(), 0).to_double();
    EXPECT_LT(std::abs(both - first), 2);
    EXPECT_NE(both, first);
  }
}

TEST(RandomGameTest, OneObservationHidesEverythingButTime) {
  const WalkResult result = walk(*make_game("random(depth=4,branching=3,observations=1)"));
  EXPECT_EQ(result.infosets[0], 1 + 3);
  EXPECT_EQ(result.infosets[1], 1 + 3);
}

// The FPIRA paper: branching 5, depth 7, 2.6e4 +- 4e3 information sets over 50 games, counted like
// its Leduc games with the leaves.
TEST(RandomGameTest, FourObservationsGiveThePapersSizes) {
  double sum = 0;
  const int games = 10;
  for (int seed = 1; seed <= games; ++seed) {
    const auto game =
        make_game(fmt::format("random(depth=7,branching=5,observations=4,seed={})", seed));
    std::unordered_set<core::Hash128, KeyHash> keys;
    for_each_state(*game,
                   [&](const std::byte* state, Turn) { keys.insert(game->infoset_key(state)); });
    sum += static_cast<double>(keys.size());
  }
  EXPECT_GT(sum / games, 22000);
  EXPECT_LT(sum / games, 30000);
}

TEST(RandomGameTest, LabelsAreOwnActionsAsLettersAndSignalsAsDigits) {
  const auto game = make_game("random(depth=4,branching=16,observations=1)");
  EXPECT_EQ(situation(*game, {"p"}).substr(0, 8), "2: 0: a ");
  EXPECT_EQ(situation(*game, {"p", "c"}).substr(0, 9), "1: p0: a ");
  EXPECT_EQ(situation(*game, {"p", "c", "j"}).substr(0, 10), "2: 0c0: a ");
}

TEST(RandomGameTest, LargestAlphabetKeepsTheContract) {
  const auto game = make_game("random(depth=3,branching=16,observations=10)");
  const WalkResult result = walk(*game);
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_LE(result.infosets[1], 10);  // 16 draws need not show all ten signals
  EXPECT_GT(result.infosets[1], 4);
  EXPECT_EQ(result.histories, 1 + 16 + 256 + 4096);
}

TEST(RandomGameTest, RefusesWhatDoesNotFit) {
  EXPECT_THROW(make_game("random(depth=17)"), core::InputError);
  EXPECT_THROW(make_game("random(depth=0)"), core::InputError);
  EXPECT_THROW(make_game("random(branching=17)"), core::InputError);
  EXPECT_THROW(make_game("random(observations=0)"), core::InputError);
  EXPECT_THROW(make_game("random(observations=11)"), core::InputError);
}

}  // namespace
}  // namespace cleave::games
