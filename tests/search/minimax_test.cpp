#include "search/minimax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "games/efg.h"
#include "search/table.h"
#include "solve/sequence_lp.h"

namespace cleave::search {
namespace {

// Chance in the middle, and a trap: what is good two moves ahead is bad at the end.
constexpr const char* kTrap = R"(EFG 2 R "trap" { "A" "B" }
p "" 1 1 "start" { "bait" "wait" } 0
c "" 1 "" { "x" 1/2 "y" 1/2 } 0
p "" 2 1 "punish" { "yes" "no" } 0
t "" 1 "" { -9 9 }
t "" 2 "" { 5 -5 }
t "" 3 "" { 3 -3 }
t "" 4 "" { 1 -1 }
)";

TEST(Minimax, ExactValuesPlayBackwardInductionAtAnyDepth) {
  for (const char* name : {"nim", "nim(piles=2:3)", "nim(piles=1:1:2:2)"}) {
    const GameTable nim(name);
    const solve::ExactSolution solution = solve::induce_backward(nim.problem);
    EXPECT_DOUBLE_EQ(exact_position_values(nim.problem.tree)[0] + nim.problem.tree.shift,
                     solution.value);
    for (const int depth : {1, 2, 5, 100}) {
      EXPECT_EQ(nim.strategy("search(values=exact,depth=" + std::to_string(depth) + ")"),
                solution.strategy)
          << name << " " << depth;
    }
  }
}

TEST(Minimax, LookingToTheEndNeedsNoValues) {
  const GameTable nim("nim");
  EXPECT_EQ(nim.strategy("search(depth=6)"), solve::induce_backward(nim.problem).strategy);
  const GameTable trap(games::read_efg(kTrap, "trap"));
  EXPECT_EQ(trap.strategy("search(depth=3)"), solve::induce_backward(trap.problem).strategy);
}

TEST(Minimax, WithoutKnowledgeItErrs) {
  const GameTable nim("nim");
  EXPECT_GT(nim.exploitability("search(depth=1)"), 0.5);
  // Two moves ahead stands chance's y with 3 and an unknown position: better than 1 in hand.
  const GameTable trap(games::read_efg(kTrap, "trap"));
  const auto value = [&](const std::string& spec) {
    return solve::certify(trap.problem, trap.strategy(spec)).value;
  };
  EXPECT_DOUBLE_EQ(value("search(depth=2)"), -3);
  EXPECT_DOUBLE_EQ(value("search(depth=3)"), 1);
  EXPECT_DOUBLE_EQ(value("search(depth=2,values=exact)"), 1);
}

TEST(Minimax, TakesAnyValuesAndChecksThem) {
  const GameTable nim("nim");
  const tree::Tree& tree = nim.problem.tree;
  const std::vector<double> exact = exact_position_values(tree);
  size_t asked = 0;
  MinimaxAgent agent(nim.any, 2, [&](uint32_t h) {
    ++asked;
    return 0.1 * exact[h];
  });
  EXPECT_EQ(nim.any.strategy(*agent.complete()), solve::induce_backward(nim.problem).strategy);
  EXPECT_GT(asked, 0U);
  MinimaxAgent broken(nim.any, 1, [](uint32_t) { return std::nan(""); });
  EXPECT_THROW(broken.complete(), core::InputError);
}

TEST(Minimax, RefusesHiddenInformation) {
  const GameTable kuhn("kuhn");
  EXPECT_THROW(MinimaxAgent(kuhn.any, 3, [](uint32_t) { return 0.0; }), core::InputError);
}

}  // namespace
}  // namespace cleave::search
