#include <gtest/gtest.h>

#include "cut_game.h"
#include "games/efg.h"
#include "random_case.h"

// For every method without a guarantee, a game in which it does get worse: the proof that the tests
// of the safe methods can fail. All are solved exactly.
namespace cleave::histories {
namespace {

// How much the hero's exploitability rises.
double rise(const Case& c, const std::string& name, size_t hero) {
  const tree::Strategy solved = resolve_all(*c.game, c.summaries, decompose::make_method(name),
                                            {.exact = true, .keep_unreached = true}, c.strategy);
  return c.best_response(solved, 1 - hero) - c.best_response(c.strategy, 1 - hero);
}

TEST(Counterexamples, Unsafe) { EXPECT_GT(rise(Case(249), "unsafe", 1), 1); }
TEST(Counterexamples, Combined) { EXPECT_GT(rise(Case(707), "combined", 1), 1); }
TEST(Counterexamples, Estimated) { EXPECT_GT(rise(Case(434), "estimated", 0), 0.1); }
TEST(Counterexamples, ScaledGifts) {
  EXPECT_GT(rise(Case(493), "reach-maxmargin(scale=10)", 1), 1);
}
TEST(Counterexamples, Distributional) {
  for (const char* method :
       {"distributional", "estimated+distributional", "reach-estimated+distributional"}) {
    EXPECT_GT(rise(Case(386), method, 1), 0.1) << method;
  }
}

// Figure 5 of Brown and Sandholm with four doors: a public chance move after Play, so that one gift
// seems to be there four times. Selling pays 1/2 with Heads and 0 with Tails.
std::string four_doors() {
  std::string text = "EFG 2 R \"four doors\" { \"one\" \"two\" }\n";
  text += "c \"\" 1 \"\" { \"Heads\" 1/2 \"Tails\" 1/2 } 0\n";
  for (int coin = 0; coin < 2; ++coin) {
    text += fmt::format("p \"\" 1 {} \"\" {{ \"Sell\" \"Play\" }} 0\n", coin + 1);
    text += fmt::format("t \"\" {} \"\" {{ {} }}\n", coin + 1, coin == 0 ? "1/2, -1/2" : "0, 0");
    text +=
        fmt::format("c \"\" {} \"\" {{ \"A\" 1/4 \"B\" 1/4 \"C\" 1/4 \"D\" 1/4 }} 0\n", coin + 2);
    for (int door = 0; door < 4; ++door) {
      // Player one sees the door too.
      text += fmt::format("p \"\" 1 {} \"\" {{ \"on\" }} 0\n", 3 + 4 * coin + door);
      text += fmt::format("p \"\" 2 {} \"\" {{ \"Heads\" \"Tails\" }} 0\n", door + 1);
      for (int guess = 0; guess < 2; ++guess) {
        const int outcome = 10 + 8 * coin + 2 * door + guess;
        text +=
            fmt::format("t \"\" {} \"\" {{ {} }}\n", outcome, guess == coin ? "-1, 1" : "1, -1");
      }
    }
  }
  return text;
}

TEST(Counterexamples, GiftsThatAreNotSplit) {
  const auto game = games::read_efg(four_doors(), "four doors");
  const solve::Problem problem = solve::make_problem(*game);
  const tree::Strategy trunk = tree::uniform_strategy(problem.tree);
  const CutGame cut = take_apart(problem, make_cut(*game, problem.tree, "depth:4"));
  ASSERT_EQ(cut.subgames.size(), 4U);
  const auto summaries = summarise(cut, trunk);
  const auto loss = [&](const char* method) {
    const tree::Strategy solved =
        resolve_all(cut, summaries, decompose::make_method(method), {.exact = true}, trunk);
    return solve::certify(problem, solved).best_response[0];
  };
  EXPECT_NEAR(solve::certify(problem, trunk).best_response[0], 0.25, 1e-9);
  EXPECT_NEAR(loss("reach-maxmargin(gifts=single)"), 0.5, 1e-7);
  EXPECT_LE(loss("reach-maxmargin"), 0.25 + 1e-9);
  EXPECT_LE(loss("maxmargin"), 0.25 + 1e-9);
  // One subgame alone may have the whole gift: theorem 1.
  tree::Strategy solved = trunk;
  resolve_subgame(cut, summaries, 0, 1, decompose::make_method("reach-maxmargin(gifts=single)"),
                  {.exact = true}, solved);
  EXPECT_LE(solve::certify(problem, solved).best_response[0], 0.25 + 1e-9);
}

}  // namespace
}  // namespace cleave::histories
