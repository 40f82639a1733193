#include "solve/evaluate.h"

#include <gtest/gtest.h>

#include "games/efg.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "reference.h"

namespace cleave::solve {
namespace {

class EvaluateTest : public testing::TestWithParam<const char*> {
 protected:
  Problem problem_ = make_problem(*games::make_game(GetParam()));
};

TEST_P(EvaluateTest, AgreesWithTheTextbookOverHistories) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const tree::Strategy strategy = random_strategy(problem_.tree, seed);
    const Certificate c = certify(problem_, strategy);
    EXPECT_NEAR(c.value, reference::values(problem_.tree, strategy)[0], 1e-10);
    double sum = 0;
    for (int p = 0; p < 2; ++p) {
      const double expected = reference::best_response_value(problem_.tree, strategy, p);
      EXPECT_NEAR(c.best_response[static_cast<size_t>(p)], expected, 1e-10);
      sum += expected;
    }
    EXPECT_NEAR(c.exploitability, sum / 2, 1e-10);
  }
}

// What best_respond() returns is what its strategy earns, and no counterfactual value is beaten by
// switching at one information set.
TEST_P(EvaluateTest, BestRespondEarnsItsValueEverywhere) {
  for (int p = 0; p < 2; ++p) {
    tree::Strategy strategy = random_strategy(problem_.tree, 9);
    const auto before = counterfactual_best_response(problem_, p, strategy);
    const double promised = best_respond(problem_, p, strategy);
    const Certificate c = certify(problem_, strategy);
    EXPECT_NEAR(p == 0 ? c.value : -c.value, promised, 1e-10);
    EXPECT_NEAR(c.best_response[static_cast<size_t>(p)], promised, 1e-10);
    // Values at information sets under the response itself: sum of the others' reach * value.
    const tree::Tree& tree = problem_.tree;
    const auto other = reference::reach(tree, strategy, static_cast<tree::Actor>(1 - p));
    const auto chance = reference::reach(tree, strategy, tree::kChance);
    const auto value = reference::values(tree, strategy);
    std::vector<double> sums(before.size(), 0.0);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] != p) continue;
      sums[tree.infoset[h] - tree.infoset_begin[static_cast<size_t>(p)]] +=
          other[h] * chance[h] * (p == 0 ? value[h] : -value[h]);
    }
    for (size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(before[i], sums[i], 1e-10) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Games, EvaluateTest,
    testing::Values("kuhn", "coin_toss", "rps", "goofspiel(cards=3)", "nim",
                    "leduc(ranks=2,suits=2)", "random(depth=5,branching=3,seed=2)",
                    "random(depth=6,branching=3,seed=4,chance=0.5,vary=true)"));

TEST(Evaluate, ThreadsDoNotChangeABit) {
  const Problem problem = make_problem(*games::make_game("liars_dice(faces=7)"));
  const tree::Strategy strategy = random_strategy(problem.tree, 1);
  Workspace one(problem);
  Workspace three(problem);
  three.threads = 3;
  for (Workspace* work : {&one, &three}) {
    for (size_t p = 0; p < 2; ++p) {
      tree::plan_from_strategy(problem.tree, problem.form.player[p], strategy, work->plan[p]);
    }
  }
  const Certificate a = certify(problem, one);
  const Certificate b = certify(problem, three);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.best_response, b.best_response);
}

// Matching pennies of a kind with payoffs that sum to 10: everything printed is in the file's
// units.
TEST(Evaluate, ConstantSumIsShiftedBack) {
  const auto game = games::read_efg(
      "EFG 2 R \"x\" { \"A\" \"B\" }\np \"\" 1 1 \"s\" { \"l\" \"r\" } 0\n"
      "p \"\" 2 1 \"t\" { \"a\" \"b\" } 0\nt \"\" 1 \"\" { 3 7 }\nt \"\" 2 \"\" { 4 6 }\n"
      "p \"\" 2 1 0\nt \"\" 3 \"\" { 5 5 }\nt \"\" 4 \"\" { 2 8 }\n",
      "constant.efg");
  const Problem problem = make_problem(*game);
  const Certificate optimal = certify(problem, {0.75, 0.25, 0.5, 0.5});
  EXPECT_NEAR(optimal.value, 3.5, 1e-12);
  EXPECT_NEAR(optimal.exploitability, 0, 1e-12);
  const Certificate pure = certify(problem, {1, 0, 1, 0});
  EXPECT_EQ(pure.value, 3);
  EXPECT_EQ(pure.best_response[0], 5);
  EXPECT_EQ(pure.best_response[1], 7);
  EXPECT_EQ(pure.exploitability, 1);
}

// Ties go to the first action: in rock-paper-scissors against uniform play every move is as good.
TEST(Evaluate, TiesGoToTheFirstAction) {
  const Problem problem = make_problem(*games::make_game("rps"));
  tree::Strategy strategy = tree::uniform_strategy(problem.tree);
  best_respond(problem, 0, strategy);
  EXPECT_EQ(strategy[0], 1);
  EXPECT_EQ(strategy[1], 0);
}

}  // namespace
}  // namespace cleave::solve
