#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random.h"
#include "games/efg.h"
#include "games/registry.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

Problem problem_of(const std::string& name) { return make_problem(*games::make_game(name)); }

// A random game of perfect information: payoffs are small whole numbers, so that there are ties.
struct RandomText {
  explicit RandomText(uint64_t seed) : random(seed) {}

  std::string node(int depth) {
    const uint64_t kind = random.below(6);
    if (depth == 0 || (kind == 0 && depth < 4)) {
      const int payoff = static_cast<int>(random.below(9)) - 4;
      return "t \"\" " + std::to_string(++outcomes) + " \"\" { " + std::to_string(payoff) + " " +
             std::to_string(-payoff) + " }\n";
    }
    std::string text;
    if (kind == 1) {
      text = "c \"\" " + std::to_string(++sets[0]) + " \"\" { \"a\" 1/3 \"b\" 2/3 } 0\n";
    } else {
      const uint64_t player = 1 + random.below(2);
      text = "p \"\" " + std::to_string(player) + " " + std::to_string(++sets[player]) +
             " \"\" { \"a\" \"b\" } 0\n";
    }
    const std::string first = node(depth - 1);
    return text + first + node(depth - 1);
  }

  core::Random random;
  int outcomes = 0;
  int sets[3] = {0, 0, 0};
};

void expect_solved_like_lp(const Problem& problem, const std::string& name) {
  const ExactSolution solution = induce_backward(problem);
  EXPECT_NEAR(solution.value, solve_lp(problem).value, 1e-9) << name;
  const Certificate certificate = certify(problem, solution.strategy);
  EXPECT_NEAR(certificate.value, solution.value, 1e-12) << name;
  EXPECT_NEAR(certificate.exploitability, 0, 1e-12) << name;
}

TEST(BackwardInductionTest, RandomGamesAgreeWithTheLinearProgram) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string text =
        "EFG 2 R \"test\" { \"1\" \"2\" } \"\"\n" + RandomText(seed).node(2 + seed % 6);
    expect_solved_like_lp(make_problem(*games::read_efg(text, "test")), text);
  }
}

// The player to move wins exactly if the piles' exclusive or is not zero (Bouton 1901).
TEST(BackwardInductionTest, Nim) {
  for (const auto& [piles, value] : std::vector<std::pair<std::string, double>>{{"1:2:3", -1},
                                                                                {"1", 1},
                                                                                {"2:2", -1},
                                                                                {"1:2", 1},
                                                                                {"1:1:1", 1},
                                                                                {"1:2:2", 1},
                                                                                {"2:3", 1},
                                                                                {"3:3", -1}}) {
    const std::string name = "nim(piles=" + piles + ")";
    const Problem problem = problem_of(name);
    EXPECT_EQ(induce_backward(problem).value, value) << name;
    expect_solved_like_lp(problem, name);
  }
}

TEST(BackwardInductionTest, TiesGoToTheFirstAction) {
  const Problem problem = make_problem(*games::read_efg(R"(EFG 2 R "test" { "1" "2" } ""
    p "" 1 1 "" { "a" "b" "c" } 0
      t "" 1 "" { 0 4 }
      p "" 2 1 "" { "a" "b" "c" } 0
        t "" 2 "" { 3 1 }
        t "" 3 "" { 1 3 }
        t "" 4 "" { 1 3 }
      t "" 5 "" { 1 3 })",
                                                        "test"));
  const ExactSolution solution = induce_backward(problem);
  EXPECT_EQ(solution.value, 1);
  EXPECT_EQ(solution.strategy, (tree::Strategy{0, 1, 0, 0, 1, 0}));
}

TEST(BackwardInductionTest, RefusesHiddenInformationAndSaysWhere) {
  const Problem problem = problem_of("kuhn");
  core::Params params("algorithm 'backward-induction'", {});
  try {
    backward_induction_info().make(problem, params, {});
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "algorithm 'backward-induction' needs a game of perfect information; in kuhn "
              "information set 1 of player 1 holds 2 histories (one is after moves 1, 1)");
  }
}

TEST(BackwardInductionTest, OneIterationAndTheSameAfterLoading) {
  const Problem problem = problem_of("nim");
  core::Params params("algorithm 'backward-induction'", {});
  const auto solver = backward_induction_info().make(problem, params, {});
  EXPECT_FALSE(solver->finished());
  solver->iterate();
  EXPECT_TRUE(solver->finished());
  tree::Archive archive;
  solver->save(archive);
  const auto again = backward_induction_info().make(problem, params, {});
  again->load(archive);
  EXPECT_TRUE(again->finished());
  EXPECT_EQ(again->strategy(), solver->strategy());
}

}  // namespace
}  // namespace cleave::solve
