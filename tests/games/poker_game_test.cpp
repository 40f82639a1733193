#include "games/poker_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "source_path.h"

namespace cleave::games {
namespace {

using testing::HasSubstr;

const std::string kExamples = source_path("examples/games/");

std::unique_ptr<Game> example(const std::string& spec) { return make_game(kExamples + spec); }

std::string error_of(const std::string& spec) {
  try {
    example(spec);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

// Both players' payoffs by an independent route: `value` of the LP, certified by best responses.
double value_of(const Game& game) {
  const solve::Problem problem = solve::make_problem(game);
  const solve::LpSolution solution = solve::solve_lp(problem);
  EXPECT_NEAR(solve::certify(problem, solution.strategy).exploitability, 0, 1e-9);
  return solution.value;
}

TEST(PokerGameTest, KuhnIsKuhn) {
  const auto game = example("kuhn.game");
  const WalkResult result = walk(*game);
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, walk(*make_game("kuhn")).histories);
  EXPECT_EQ(result.all_infosets(), 12);
  EXPECT_NEAR(value_of(*game), -1.0 / 18, 1e-9);
  EXPECT_EQ(situation(*game, {"Qs", "Ks"}), "1: Qs:: check bet 1");
  EXPECT_EQ(situation(*game, {"Qs", "Ks", "check", "bet 1"}), "1: Qs:check/bet 1: fold call");
  EXPECT_EQ(situation(*game, {"Qs", "Ks", "check", "bet 1", "call"}), "terminal: -2");
  EXPECT_EQ(situation(*game, {"As", "Ks", "bet 1", "fold"}), "terminal: 1");
}

TEST(PokerGameTest, LeducIsLeduc) {
  const auto game = example("leduc.game");
  const WalkResult result = walk(*game);
  const WalkResult builtin = walk(*make_game("leduc"));
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, builtin.histories);
  EXPECT_EQ(result.terminals, builtin.terminals);
  EXPECT_EQ(result.chance_nodes, builtin.chance_nodes);
  EXPECT_EQ(result.infosets, builtin.infosets);
  EXPECT_LE(game->state_bytes(), 64U);
  EXPECT_NEAR(value_of(*game), -0.085606424, 1e-9);
  EXPECT_EQ(situation(*game, {"Qh", "Ks"}), "1: Qh:: check bet 2");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "bet 2"}), "2: Ks:bet 2: fold call raise 4");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "bet 2", "call"}), "chance: Qs Kh Ah As");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "bet 2", "call", "Ah", "check"}),
            "2: Ks:bet 2/call|Ah:check: check bet 4");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "bet 2", "raise 4", "call", "Qs", "check", "check"}),
            "terminal: 5");
}

// Every payoff of the built-in game has its twin: the same cards and betting, other names.
TEST(PokerGameTest, LeducPaysAsTheBuiltInGame) {
  const auto histogram = [](const Game& game) {
    std::map<std::string, int> counts;
    for_each_state(game, [&](const std::byte* state, Turn turn) {
      if (turn.actor == kTerminal) ++counts[game.payoff(state, 0).to_string()];
    });
    return counts;
  };
  EXPECT_EQ(histogram(*example("leduc.game")), histogram(*make_game("leduc")));
}

TEST(PokerGameTest, TheSmallNoLimitGame) {
  const auto game = example("small_nolimit.game");
  const WalkResult result = walk(*game);
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_LT(result.histories, 100'000);
  EXPECT_EQ(result.histories, 66'667);
  // Blinds of 2 and 1: player 2 acts first, then player 1 has the option.
  EXPECT_EQ(situation(*game, {"Qh", "Ks"}),
            "2: Ks:: fold call raise 4 raise 5 raise 6 raise 7 raise 8 allin 9");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "fold"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "call", "check"}), "chance: Qs Kh Ah As");
  // All in before the board: it is dealt, and nobody acts any more.
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "allin 9", "call"}), "chance: Qs Kh Ah As");
  EXPECT_EQ(situation(*game, {"Qh", "Ks", "allin 9", "call", "Qs"}), "terminal: 9");
  EXPECT_EQ(situation(*game, {"Qh", "Qs", "allin 9", "call", "Ks"}), "terminal: 0");
}

TEST(PokerGameTest, SizesMakeASmallerGameOfTheSameName) {
  const auto game = example("small_nolimit.game(sizes=50%:a)");
  EXPECT_EQ(game->name(), kExamples + "small_nolimit.game(sizes=50%:a)");
  const WalkResult result = walk(*game);
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(walk(*make_game(game->name())).histories, result.histories);
  EXPECT_LT(result.histories, 20'000);
  EXPECT_EQ(situation(*game, {"Qh", "Ks"}), "2: Ks:: fold call raise 4 allin 9");
}

TEST(PokerGameTest, RoundsWithSeveralBoardCardsOrNone) {
  PokerParams params{.definition = poker::read_definition(kExamples + "leduc.game")};
  params.definition.hole_cards = 2;
  params.definition.ranks = 3;
  params.definition.suits = 3;
  params.definition.rounds = {{1, 0, 1, 2}, {0, 0, 0, 2}, {2, 1, 1, 2}};
  params.name = "variant";
  const auto game = make_poker_game(params);
  EXPECT_EQ(game->name(), "variant");
  EXPECT_EQ(situation(*game, {"QhQd", "KhKd"}), "chance: Qs Ks Ad Ah As");
  // The second round has no board and no bets, and is named all the same.
  EXPECT_EQ(situation(*game, {"QhQd", "KhKd", "Qs", "check", "check"}),
            "1: QhQd|Qs:check/check|:: check");
  EXPECT_EQ(situation(*game, {"QhQd", "KhKd", "Qs", "check", "check", "check", "check"}),
            "chance: AdKs AhKs AsKs AhAd AsAd AsAh");
  const auto last = state_after(
      *game, {"QhQd", "KhKd", "Qs", "check", "check", "check", "check", "AhAd", "bet 2", "call"});
  // Queens full against two pairs.
  EXPECT_EQ(game->payoff(last.data(), 0), core::Rational(3));
}

// A board that came in another order is another public state, since players acted in between.
TEST(PokerGameTest, TheWalkHoldsForTwoHoleCardsAndTwoBoards) {
  PokerParams params{.definition = poker::read_definition(kExamples + "small_nolimit.game")};
  params.definition.stack = {3, 3};
  params.definition.blind = {1, 1};
  params.definition.suits = 2;
  params.definition.rounds = {{0, 0, 1, 0}, {1, 0, 1, 0}, {1, 1, 1, 0}};
  params.sizes = poker::parse_sizes("a", "sizes");
  const WalkResult one = walk(*make_poker_game(params));
  EXPECT_TRUE(one.errors.empty()) << describe(one);
  params.definition.hole_cards = 2;
  const WalkResult two = walk(*make_poker_game(params));
  EXPECT_TRUE(two.errors.empty()) << describe(two);
}

TEST(PokerGameTest, HoldemIsThereThoughTooLargeToWalk) {
  const auto game = example("holdem_limit.game");
  std::vector<std::byte> root(game->state_bytes());
  game->root(root.data());
  EXPECT_EQ(game->turn(root.data()).num_actions, 1326);
  // Reverse blinds: the dealer, player 2, acts first before the flop and last after it.
  EXPECT_EQ(situation(*game, {"AhAd", "KhKd"}), "2: KhKd:: fold call raise 20");
  EXPECT_EQ(situation(*game, {"AhAd", "KhKd", "call", "check", "Ts9s8s", "check"}),
            "2: KhKd:call/check|Ts9s8s:check: check bet 10");
  const auto flop = state_after(*game, {"AhAd", "KhKd", "call", "check"});
  EXPECT_EQ(game->turn(flop.data()).num_actions, 17296);
  EXPECT_EQ(game->chance_probability(flop.data(), 7), core::Rational(1, 17296));

  const auto all_in = example("flop_holdem.game(sizes=a)");
  EXPECT_EQ(situation(*all_in, {"AhAd", "KhKd", "allin 20000", "call", "KsQs7d"}),
            "terminal: -20000");
}

TEST(PokerGameTest, ErrorsSayWhatIsAllowed) {
  EXPECT_THAT(error_of("leduc.game(sizes=a)"), HasSubstr("limit game"));
  EXPECT_THAT(error_of("small_nolimit.game(size=a)"), HasSubstr("no parameter 'size'"));
  EXPECT_THAT(error_of("small_nolimit.game(sizes=a,sizes=a)"), HasSubstr("given twice"));
  EXPECT_THAT(error_of("small_nolimit.game(sizes=50%:b)"), HasSubstr("character 5"));
  EXPECT_THAT(error_of("none.game"), HasSubstr("none.game"));
  EXPECT_THAT(error_of("holdem_nolimit.game"), HasSubstr("fewer or larger sizes"));
}

}  // namespace
}  // namespace cleave::games
