#include <gtest/gtest.h>

#include <cmath>

#include "fmt/format.h"
#include "games/registry.h"
#include "random_games.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "solve/solvers.h"

// What docs/abstraction.md states of cfr-ira: whenever the abstraction is looked at and the gap is
// above the bound, sets leave their cells until none is left that could; so the gap keeps to the
// bound or the game is solved as it is. And cfr-ira then does about what cfr+ does in the game.
namespace cleave::solve {
namespace {

double gap(const Problem& problem, const Solver& solver) {
  Workspace work(problem);
  for (int p = 0; p < 2; ++p) solver.average_plan(p, work.plan[static_cast<size_t>(p)]);
  return 2 * certify(problem, work).exploitability;
}

struct CfrIraParams {
  double share = 1;
  double bound = 4;
};

std::unique_ptr<Solver> make_cfr_ira(const Problem& problem, const CfrIraParams& params = {}) {
  return make_solver(fmt::format("cfr-ira(share={},bound={})", params.share, params.bound),
                     problem);
}

// The gap that sets in cells with others may leave when the abstraction is looked at.
double gap_bound(const Problem& problem, const CfrIraParams& params, int64_t iteration) {
  const auto [least, most] = std::ranges::minmax(problem.tree.payoff);
  return params.bound * (most - least) / std::sqrt(static_cast<double>(iteration));
}

// Looks at every iteration at which the solver does; the strategy does not change by looking.
// Returns how often the gap was one that had been compared with the bound.
int expect_bound(const std::string& name, const CfrIraParams& params, int64_t iterations) {
  const Problem problem = make_problem(*games::make_game(name));
  const auto solver = make_cfr_ira(problem, params);
  size_t cells = solver->abstraction()->cells;
  int compared = 0;
  for (int64_t t = 1; t <= iterations; ++t) {
    const bool looks = next_look(t) == t;
    solver->iterate();
    const size_t now = solver->abstraction()->cells;
    if (!looks) {
      EXPECT_EQ(now, cells) << name << ", iteration " << t;
      continue;
    }
    // Sets that left have nothing averaged: the gap is measured here after that, so only where
    // none left is it the one that was compared with the bound.
    if (now == cells && now < problem.tree.num_infosets()) {
      EXPECT_LE(gap(problem, *solver), gap_bound(problem, params, t) * (1 + 1e-9))
          << name << ", iteration " << t;
      ++compared;
    }
    cells = now;
  }
  return compared;
}

TEST(CfrIra, KeepsToItsBoundOrSplits) {
  int games = 0, compared = 0;
  for (int i = 0; i < 100; ++i) {
    const double bound = i % 3 == 0 ? 4 : i % 3 == 1 ? 0.2 : 0.01;
    const int here =
        expect_bound(random_game_name(i), {.share = i % 2 == 0 ? 1.0 : 1e5, .bound = bound}, 300);
    compared += here;
    games += here > 0 ? 1 : 0;
  }
  EXPECT_GE(games, 28) << compared << " gaps were compared in " << games << " games";
  EXPECT_GE(compared, 350) << "gaps in " << games << " games";
  const int in_leduc = expect_bound("leduc", {.share = 1e5, .bound = 0.05}, 2000);
  EXPECT_GE(in_leduc, 15) << "gaps were compared";
}

TEST(CfrIra, SplitsAllItMustWhenTheBoundIsZero) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  const auto solver = make_cfr_ira(problem, {.bound = 0});
  for (int t = 0; t < 3000; ++t) solver->iterate();
  EXPECT_EQ(solver->abstraction()->cells, problem.tree.num_infosets());
  EXPECT_LT(gap(problem, *solver), 1e-3);
}

TEST(CfrIra, SolvesRandomGames) {
  for (int i = 0; i < 100; ++i) {
    const std::string name = random_game_name(i);
    const Problem problem = make_problem(*games::make_game(name));
    const double value = solve_lp(problem).value;
    const auto solver = make_cfr_ira(problem);
    double reached = 1;
    for (int t = 1; t <= 20000 && reached > 1e-3; ++t) {
      solver->iterate();
      if (t % 50 == 0) reached = gap(problem, *solver);
    }
    ASSERT_LE(reached, 1e-3) << name;
    ASSERT_NEAR(certify(problem, solver->strategy()).value, value, 1e-3) << name;
  }
}

// After as many iterations the two are within the stated bound of each other.
TEST(CfrIra, IsWithinItsBoundOfCfrPlusInTheGame) {
  for (const char* name : {"kuhn", "leduc", "leduc(ranks=4,suits=3,distinct=false,bets=1:2)",
                           "random(depth=5,branching=4,observations=3,seed=3)"}) {
    const Problem problem = make_problem(*games::make_game(name));
    const auto solver = make_cfr_ira(problem);
    const auto original = make_solver("cfr+", problem);
    for (int64_t t = 1; t <= 1000; ++t) {
      solver->iterate();
      original->iterate();
      if (t < 100 || next_look(t) != t) continue;
      ASSERT_LE(gap(problem, *solver), gap(problem, *original) + gap_bound(problem, {}, t))
          << name << t;
    }
    EXPECT_LT(gap(problem, *solver), 0.02) << name;
  }
}

TEST(CfrIra, LooksAtAFixedSequence) {
  std::vector<int64_t> looks;
  for (int64_t t = 1; t <= 100; ++t) {
    if (next_look(t) == t) looks.push_back(t);
  }
  EXPECT_EQ(looks, (std::vector<int64_t>{10, 20, 30, 40, 50, 60, 72, 86}));
}

}  // namespace
}  // namespace cleave::solve
