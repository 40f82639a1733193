#include "histories/action_abstraction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"

namespace cleave::histories {
namespace {

using testing::HasSubstr;

constexpr const char* kLarge = "leduc(ranks=2,distinct=false,bets=2:3:4,max_raises=1)";
constexpr const char* kSmall = "leduc(ranks=2,distinct=false,bets=2:4,max_raises=1)";

std::string error_of(const std::string& game_name, const std::string& labels) {
  const auto game = games::make_game(game_name);
  const tree::Tree tree = tree::compile(*game);
  try {
    drop_actions(*game, tree, labels);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ActionAbstraction, IsTheGameWithFewerSizes) {
  const auto game = games::make_game(kLarge);
  const tree::Tree large = tree::compile(*game);
  const auto abstraction = drop_actions(*game, large, "bet3, raise3");
  const SmallGame small = make_small_game(large, abstraction);
  const solve::Problem direct = solve::make_problem(*games::make_game(kSmall));
  EXPECT_EQ(small.problem.tree.child_begin, direct.tree.child_begin);
  EXPECT_EQ(small.problem.tree.actor, direct.tree.actor);
  EXPECT_EQ(small.problem.tree.payoff, direct.tree.payoff);
  EXPECT_EQ(small.problem.tree.num_infosets(), direct.tree.num_infosets());
  EXPECT_NEAR(solve::solve_lp(small.problem).value, solve::solve_lp(direct).value, 1e-9);
}

TEST(ActionAbstraction, ExpandedStrategyPlaysTheSame) {
  const auto game = games::make_game(kLarge);
  const solve::Problem large = solve::make_problem(*game);
  const auto abstraction = drop_actions(*game, large.tree, "bet3,raise3");
  const SmallGame small = make_small_game(large.tree, abstraction);
  const tree::Strategy strategy = random_strategy(small.problem.tree, 7);
  const tree::Strategy expanded = expand_strategy(large.tree, abstraction, small, strategy);
  for (uint32_t set = 0; set < large.tree.num_infosets(); ++set) {
    double sum = 0;
    for (uint32_t s = large.tree.slot_begin[set]; s < large.tree.slot_begin[set + 1]; ++s) {
      if (!abstraction.kept_slot[s]) {
        EXPECT_EQ(expanded[s], 0);
      }
      sum += expanded[s];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_NEAR(solve::certify(large, expanded).value, solve::certify(small.problem, strategy).value,
              1e-12);
}

TEST(ActionAbstraction, ConfinedPlayerGetsNoMoreThanAFreeOne) {
  const auto game = games::make_game("leduc(ranks=3,suits=1,bets=1:2:4,max_raises=0)");
  const solve::Problem large = solve::make_problem(*game);
  const auto abstraction = drop_actions(*game, large.tree, "bet1,bet4");
  const double value = solve::solve_lp(large).value;
  const SmallGame one = make_small_game(large.tree, abstraction, 0);
  const SmallGame two = make_small_game(large.tree, abstraction, 1);
  EXPECT_LE(solve::solve_lp(one.problem).value, value + 1e-9);
  EXPECT_GE(solve::solve_lp(two.problem).value, value - 1e-9);
  EXPECT_LT(one.problem.tree.num_histories(), large.tree.num_histories());
  // Its equilibrium, played in the whole game, guarantees what it is worth.
  const auto solution = solve::solve_lp(one.problem);
  tree::Strategy strategy = expand_strategy(large.tree, abstraction, one, solution.strategy);
  EXPECT_NEAR(solve::best_respond(large, 1, strategy), -solution.value, 1e-9);
}

TEST(ActionAbstraction, NothingDroppedIsTheGameItself) {
  const auto game = games::make_game(kSmall);
  const tree::Tree large = tree::compile(*game);
  const auto all = keep_slots(large, std::vector<bool>(large.num_slots(), true), "everything");
  EXPECT_EQ(make_small_game(large, all).problem.tree.num_histories(), large.num_histories());
}

TEST(ActionAbstraction, SaysWhatIsWrong) {
  EXPECT_THAT(error_of(kLarge, "bet3,raise5"),
              testing::AllOf(HasSubstr("'raise5'"), HasSubstr("bet2, bet3, bet4")));
  // Chance's moves are not a player's.
  EXPECT_THAT(error_of(kLarge, "K"), HasSubstr("no player"));
  EXPECT_THAT(error_of(kLarge, ""), HasSubstr("''"));
  EXPECT_THAT(error_of(kLarge, "fold,call,raise2,raise3,raise4"),
              testing::AllOf(HasSubstr("no move left"), HasSubstr("'J:cr2'")));
  const tree::Tree tree = tree::compile(*games::make_game("kuhn"));
  EXPECT_THROW(keep_slots(tree, std::vector<bool>(tree.num_slots(), false), "nothing"),
               core::InputError);
}

}  // namespace
}  // namespace cleave::histories
