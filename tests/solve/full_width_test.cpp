#include <gtest/gtest.h>

#include <cmath>

#include "games/registry.h"
#include "reference.h"
#include "solve/run.h"
#include "solve/solver.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

Certificate solve_for(const Problem& problem, const std::string& algorithm, int64_t iterations) {
  RunOptions options;
  options.planned_iterations = iterations;
  const auto solver = make_solver(algorithm, problem, options);
  Record record;
  return run(problem, *solver, {.iterations = iterations, .target = {}, .seconds = {}}, 1, {},
             record)
      .certificate;
}

// The engine (sequence form, groups, kernels) against CFR by the book over histories.
class AgainstTextbook : public testing::TestWithParam<const char*> {};

TEST_P(AgainstTextbook, SameAverageAfterEveryIteration) {
  const Problem problem = make_problem(*games::make_game(GetParam()));
  for (const bool plus : {false, true}) {
    reference::TextbookCfr book(problem.tree, {plus, plus});
    const auto solver = make_solver(plus ? "cfr+" : "cfr", problem);
    for (int t = 1; t <= 12; ++t) {
      book.iterate();
      solver->iterate();
      const tree::Strategy ours = solver->strategy();
      const tree::Strategy theirs = book.average();
      for (uint32_t set = 0; set < problem.tree.num_infosets(); ++set) {
        double weight = 0;
        for (uint32_t s = problem.tree.slot_begin[set]; s < problem.tree.slot_begin[set + 1]; ++s) {
          weight += book.sums()[s];
        }
        if (weight < 1e-6) continue;  // unreached, or nearly: rounding decides
        for (uint32_t s = problem.tree.slot_begin[set]; s < problem.tree.slot_begin[set + 1]; ++s) {
          ASSERT_NEAR(ours[s], theirs[s], 1e-6) << "iteration " << t << " set " << set;
        }
      }
      const Certificate a = certify(problem, ours);
      const Certificate b = certify(problem, theirs);
      ASSERT_NEAR(a.exploitability, b.exploitability, 1e-7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Games, AgainstTextbook,
                         testing::Values("kuhn", "coin_toss", "leduc", "goofspiel(cards=3)",
                                         "random(depth=6,branching=3,seed=8,vary=true)"));

struct Accuracy {
  const char* algorithm;
  int64_t iterations;
  double kuhn, leduc, coin_toss;  // exploitability that must be reached
};

class ReachesItsAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(ReachesItsAccuracy, OnKuhnLeducAndCoinToss) {
  const Accuracy& want = GetParam();
  const std::pair<const char*, double> games[] = {
      {"kuhn", want.kuhn}, {"leduc", want.leduc}, {"coin_toss", want.coin_toss}};
  const double values[] = {-1.0 / 18, -0.085606424, 0.0};
  for (size_t i = 0; i < 3; ++i) {
    const Problem problem = make_problem(*games::make_game(games[i].first));
    const Certificate c = solve_for(problem, want.algorithm, want.iterations);
    EXPECT_LE(c.exploitability, games[i].second) << games[i].first;
    EXPECT_GE(c.exploitability, -1e-12);
    EXPECT_NEAR(c.value, values[i], 2 * games[i].second) << games[i].first;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, ReachesItsAccuracy,
    testing::Values(
        Accuracy{"cfr", 2000, 1e-2, 2e-2, 1e-2},
        Accuracy{"cfr(updates=simultaneous)", 2000, 1e-2, 3e-2, 1e-2},
        Accuracy{"cfr+", 2000, 1e-4, 2e-4, 1e-3},
        Accuracy{"cfr+(updates=simultaneous)", 2000, 5e-3, 5e-2, 1e-2},
        Accuracy{"lcfr", 2000, 1e-3, 5e-3, 1e-3}, Accuracy{"dcfr", 2000, 1e-4, 1e-4, 1e-3},
        Accuracy{"pcfr+", 2000, 1e-6, 1e-3, 1e-4}, Accuracy{"hs-dcfr", 2000, 1e-3, 5e-4, 1e-3},
        Accuracy{"hs-pcfr+", 2000, 1e-6, 1e-3, 1e-4}, Accuracy{"cfr-br", 2000, 2e-2, 5e-2, 2e-2},
        Accuracy{"xfp", 5000, 1e-2, 1e-1, 1e-2}),
    [](const auto& info) { return "case" + std::to_string(info.index); });

// Leduc by CFR+ to 1e-7 of the value an independent LP gives.
TEST(CfrFamily, LeducValueByCfrPlus) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  const Certificate c = solve_for(problem, "cfr+", 100000);
  EXPECT_NEAR(c.value, -0.085606424, 1e-7);
  EXPECT_LE(c.exploitability, 1e-6);
}

// On a game large enough that levels and products are split over threads.
TEST(CfrFamily, ThreadsDoNotChangeABit) {
  const Problem problem = make_problem(*games::make_game("liars_dice(faces=7)"));
  for (const char* algorithm : {"cfr+", "dcfr", "pcfr+", "cfr-br", "xfp", "fpira", "cfr-ira"}) {
    tree::Strategy strategies[2];
    for (int i = 0; i < 2; ++i) {
      RunOptions options;
      options.threads = 1 + 2 * i;
      const auto solver = make_solver(algorithm, problem, options);
      for (int t = 0; t < 5; ++t) solver->iterate();
      strategies[i] = solver->strategy();
    }
    EXPECT_EQ(strategies[0], strategies[1]) << algorithm;
  }
}

// The average of alternating CFR obeys the bound that its theory gives: exploitability is at most
// the mean of the two players' average positive regrets, here bounded by range * sets * sqrt(A /
// T).
TEST(CfrFamily, CfrStaysBelowItsBound) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  const auto solver = make_solver("cfr", problem);
  const double range = 26;
  const double sets = 468;
  for (int64_t t = 1; t <= 1000; ++t) {
    solver->iterate();
    if (t % 100 != 0) continue;
    const double bound = range * sets * std::sqrt(3.0 / static_cast<double>(t));
    EXPECT_LE(certify(problem, solver->strategy()).exploitability, bound);
  }
}

}  // namespace
}  // namespace cleave::solve
