#include "solve/sequence_lp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "games/efg.h"
#include "games/registry.h"
#include "lp_best_response.h"
#include "random_strategy.h"
#include "solve/evaluate.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

Problem problem_of(const std::string& name) { return make_problem(*games::make_game(name)); }

Problem problem_of_efg(const std::string& body) {
  return make_problem(*games::read_efg("EFG 2 R \"test\" { \"1\" \"2\" } \"\"\n" + body, "test"));
}

void expect_valid(const tree::Tree& tree, const tree::Strategy& strategy) {
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    double sum = 0;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      EXPECT_GE(strategy[slot], 0);
      EXPECT_LE(strategy[slot], 1);
      sum += strategy[slot];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST(SequenceLpTest, KuhnIsWorthMinusOneEighteenth) {
  const Problem problem = problem_of("kuhn");
  const LpSolution solution = solve_lp(problem);
  EXPECT_NEAR(solution.value, -1.0 / 18, 1e-12);
  EXPECT_NEAR(certify(problem, solution.strategy).exploitability, 0, 1e-12);
  expect_valid(problem.tree, solution.strategy);
}

TEST(SequenceLpTest, LeducToNineDecimals) {
  const Problem problem = problem_of("leduc");
  const LpSolution solution = solve_lp(problem);
  EXPECT_NEAR(solution.value, -0.085606424, 5e-10);
  const Certificate certificate = certify(problem, solution.strategy);
  EXPECT_NEAR(certificate.value, solution.value, 1e-12);
  EXPECT_NEAR(certificate.exploitability, 0, 1e-12);
  expect_valid(problem.tree, solution.strategy);
}

TEST(SequenceLpTest, SolvesEveryKindOfGame) {
  for (const char* name : {"rps", "coin_toss", "nim", "kuhn(cards=5)", "liars_dice(faces=3)",
                           "goofspiel(cards=3)", "goofspiel(cards=3,payoff=points,prizes=random)",
                           "random(depth=5,chance=0.4,stop=0.1,vary=true,seed=3)"}) {
    const Problem problem = problem_of(name);
    const LpSolution solution = solve_lp(problem);
    const Certificate certificate = certify(problem, solution.strategy);
    EXPECT_NEAR(certificate.value, solution.value, 1e-9) << name;
    EXPECT_NEAR(certificate.exploitability, 0, 1e-9) << name;
    expect_valid(problem.tree, solution.strategy);
  }
}

TEST(SequenceLpTest, RandomGames) {
  for (int seed = 0; seed < 30; ++seed) {
    const std::string name = "random(depth=" + std::to_string(2 + seed % 5) +
                             ",chance=0.3,stop=0.1,seed=" + std::to_string(seed) + ")";
    const Problem problem = problem_of(name);
    const LpSolution solution = solve_lp(problem);
    EXPECT_NEAR(certify(problem, solution.strategy).exploitability, 0, 1e-10) << name;
  }
}

// Matching pennies in which the payoffs always sum to 4.
TEST(SequenceLpTest, ValueIsInTheGamesOwnPayoffs) {
  const Problem problem = problem_of_efg(R"(
    p "" 1 1 "" { "h" "t" } 0
      p "" 2 1 "" { "h" "t" } 0
        t "" 1 "" { 3 1 }
        t "" 2 "" { 1 3 }
      p "" 2 1 "" { "h" "t" } 0
        t "" 3 "" { 1 3 }
        t "" 4 "" { 3 1 })");
  const LpSolution solution = solve_lp(problem);
  EXPECT_NEAR(solution.value, 2, 1e-12);
  for (const double probability : solution.strategy) EXPECT_NEAR(probability, 0.5, 1e-12);
  EXPECT_NEAR(lp_best_response_value(problem, 0, solution.strategy), 2, 1e-12);
  EXPECT_NEAR(lp_best_response_value(problem, 1, solution.strategy), 2, 1e-12);
}

TEST(SequenceLpTest, GamesInWhichSomeoneNeverActs) {
  const Problem one = problem_of_efg(R"(
    p "" 1 1 "" { "a" "b" } 0
      t "" 1 "" { -1 1 }
      t "" 2 "" { 2 -2 })");
  EXPECT_NEAR(solve_lp(one).value, 2, 1e-12);
  EXPECT_EQ(solve_lp(one).strategy, (tree::Strategy{0, 1}));
  const Problem two = problem_of_efg(R"(
    p "" 2 1 "" { "a" "b" } 0
      t "" 1 "" { -1 1 }
      t "" 2 "" { 2 -2 })");
  EXPECT_NEAR(solve_lp(two).value, -1, 1e-12);
  EXPECT_EQ(solve_lp(two).strategy, (tree::Strategy{1, 0}));
  const Problem none = problem_of_efg(R"(
    c "" 1 "" { "a" 1/4 "b" 3/4 } 0
      t "" 1 "" { -1 1 }
      t "" 2 "" { 2 -2 })");
  EXPECT_NEAR(solve_lp(none).value, 1.25, 1e-12);
  EXPECT_NEAR(lp_best_response_value(none, 1, {}), -1.25, 1e-12);
}

// Player one stays out and is never asked again. Player two's l would be answered from own mistakes
// by the first action, which is worse, if the plan's zeros were all there is; behind player two's
// other action neither strategy comes.
TEST(SequenceLpTest, PlaysOnSensiblyOffTheEquilibriumPath) {
  const Problem problem = problem_of_efg(R"(
    p "" 1 1 "root" { "in" "out" } 0
      p "" 2 1 "two" { "l" "r" } 0
        p "" 1 2 "left" { "bad" "good" } 0
          t "" 1 "" { -5 5 }
          t "" 2 "" { -1 1 }
        p "" 1 3 "right" { "bad" "good" } 0
          t "" 3 "" { -7 7 }
          t "" 4 "" { -2 2 }
      t "" 5 "" { 0 0 })");
  const LpSolution solution = solve_lp(problem);
  EXPECT_NEAR(solution.value, 0, 1e-12);
  const tree::Tree& tree = problem.tree;
  EXPECT_EQ(solution.strategy[tree.slot_begin[0] + 1], 1) << "out";
  for (uint32_t set = 1; set < tree.infoset_begin[1]; ++set) {
    EXPECT_EQ(solution.strategy[tree.slot_begin[set]], 0) << set;
    EXPECT_EQ(solution.strategy[tree.slot_begin[set] + 1], 1) << set;
  }
}

// What the test above shows on one game, on poker: where a player's own reach is zero the strategy
// attains the counterfactual best-response value.
TEST(SequenceLpTest, UnreachedSetsHoldCounterfactualBestResponses) {
  const Problem problem = problem_of("leduc");
  const tree::Tree& tree = problem.tree;
  const tree::Strategy strategy = solve_lp(problem).strategy;
  for (size_t p = 0; p < 2; ++p) {
    Workspace work(problem);
    const tree::Treeplex& plex = problem.form.player[p];
    tree::plan_from_strategy(tree, plex, strategy, work.plan[p]);
    tree::plan_from_strategy(tree, problem.form.player[1 - p], strategy, work.plan[1 - p]);
    best_response_values(problem, static_cast<int>(p), work.plan[1 - p], work, work.q[p]);
    int unreached = 0;
    for (uint32_t set = tree.infoset_begin[p]; set < tree.infoset_begin[p + 1]; ++set) {
      if (work.plan[p][plex.sequence(tree.sequence[p][tree.first_history[set]])] > 0) continue;
      ++unreached;
      double best = -INFINITY, played = 0;
      for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
        const double q = work.q[p][plex.sequence(slot)];
        best = std::max(best, q);
        played += strategy[slot] * q;
      }
      EXPECT_NEAR(played, best, 1e-11);
    }
    EXPECT_GT(unreached, 0);
  }
}

TEST(SequenceLpTest, BestResponsesAgreeWithTheEngines) {
  for (const char* name : {"kuhn", "leduc", "random(depth=6,chance=0.3,seed=5)"}) {
    const Problem problem = problem_of(name);
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const tree::Strategy strategy =
          seed == 0 ? tree::uniform_strategy(problem.tree) : random_strategy(problem.tree, seed);
      const Certificate certificate = certify(problem, strategy);
      for (int p = 0; p < 2; ++p) {
        EXPECT_NEAR(lp_best_response_value(problem, p, strategy),
                    certificate.best_response[static_cast<size_t>(p)], 1e-11)
            << name << " player " << p << " seed " << seed;
      }
    }
  }
}

TEST(SequenceLpTest, OneIterationAndTheSameAfterLoading) {
  const Problem problem = problem_of("kuhn");
  core::Params params("algorithm 'lp'", {});
  const SolverInfo info = sequence_lp_info();
  EXPECT_TRUE(info.exact);
  const auto solver = info.make(problem, params, {});
  EXPECT_FALSE(solver->finished());
  solver->iterate();
  EXPECT_TRUE(solver->finished());
  EXPECT_EQ(solver->iterations(), 1);
  tree::Archive archive;
  solver->save(archive);
  const auto again = info.make(problem, params, {});
  again->load(archive);
  EXPECT_TRUE(again->finished());
  EXPECT_EQ(again->strategy(), solver->strategy());
}

}  // namespace
}  // namespace cleave::solve
