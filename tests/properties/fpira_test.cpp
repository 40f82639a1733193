#include <gtest/gtest.h>

#include "fmt/format.h"
#include "games/registry.h"
#include "random_games.h"
#include "solve/evaluate.h"
#include "solve/solver.h"

// Theorem 1 of Cermak, Bosansky and Lisy: in every iteration fictitious play in the abstraction is
// exactly as exploitable as fictitious play in the original game.
namespace cleave::solve {
namespace {

void expect_theorem_1(const std::string& game, const std::string& rule, const char* ties,
                      int iterations, uint64_t seed) {
  const std::string what = fmt::format("{}, {}, ties {}", game, rule, ties);
  const Problem problem = make_problem(*games::make_game(game));
  const RunOptions options{.seed = seed};
  const auto fpira =
      make_solver(fmt::format("fpira(cells={},ties={})", rule, ties), problem, options);
  const auto xfp =
      make_solver(fmt::format("xfp(updates=alternating,start=first,ties={})", ties), problem);
  Workspace work(problem);
  const auto measure = [&](const Solver& solver) {
    for (int p = 0; p < 2; ++p) solver.average_plan(p, work.plan[static_cast<size_t>(p)]);
    return certify(problem, work);
  };
  for (int t = 1; t <= iterations; ++t) {
    fpira->iterate();
    xfp->iterate();
    const Certificate ours = measure(*fpira);
    const Certificate original = measure(*xfp);
    ASSERT_NEAR(ours.exploitability, original.exploitability, 1e-9) << what << ", iteration " << t;
    for (size_t p = 0; p < 2; ++p) {
      ASSERT_NEAR(ours.best_response[p], original.best_response[p], 1e-9) << what << ", " << t;
    }
  }
  // The strategy is one of the abstraction, and what a reader of it would measure is the same.
  const auto abstraction = fpira->abstraction();
  ASSERT_TRUE(abstraction.has_value());
  EXPECT_LE(abstraction->cells, problem.tree.num_infosets()) << what;
  EXPECT_LE(abstraction->largest_response, problem.tree.num_infosets()) << what;
  const tree::Strategy strategy = fpira->strategy();
  EXPECT_NEAR(certify(problem, strategy).exploitability, measure(*fpira).exploitability, 1e-9)
      << what;
}

constexpr const char* kRules[] = {"merge", "least", "paper"};

void expect_on_random_games(int first, int end, int iterations) {
  for (int i = first; i < end; ++i) {
    expect_theorem_1(random_game_name(i), kRules[i % 3], i % 2 == 0 ? "first" : "last", iterations,
                     static_cast<uint64_t>(i));
  }
}

TEST(Fpira, IsAsExploitableAsFictitiousPlayOnRandomGames) { expect_on_random_games(0, 201, 60); }
TEST(FullFpira, IsAsExploitableAsFictitiousPlayOnRandomGames) {
  expect_on_random_games(201, 1000, 1000);
}

class Theorem1 : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Leduc, Theorem1,
                         testing::Values("leduc", "leduc(ranks=4,suits=3,distinct=false,bets=1:2)",
                                         "leduc(ranks=4,suits=3,distinct=false,bets=1:2:3)"));
TEST_P(Theorem1, HoldsInEveryIteration) {
  for (const char* rule : kRules) expect_theorem_1(GetParam(), rule, "last", 250, 1);
}

// The finest abstraction is the game: the rules differ in how many cells they need, in this order.
TEST(Fpira, SparingRulesNeedFewerCells) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  std::vector<size_t> cells;
  for (const char* rule : kRules) {
    const auto solver = make_solver(fmt::format("fpira(cells={})", rule), problem);
    for (int t = 0; t < 300; ++t) solver->iterate();
    cells.push_back(solver->abstraction()->cells);
  }
  EXPECT_LT(cells[0], cells[1]);
  EXPECT_LT(cells[1], cells[2]);
  EXPECT_LE(cells[2], problem.tree.num_infosets());
}

}  // namespace
}  // namespace cleave::solve
