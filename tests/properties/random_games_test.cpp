#include "random_games.h"

#include <gtest/gtest.h>

#include "games/registry.h"
#include "lp_best_response.h"
#include "random_strategy.h"
#include "solve/evaluate.h"
#include "solve/run.h"
#include "solve/sequence_lp.h"

// Independent routes must agree on random games of varied shape: our best response and the linear
// program of the best responder; PCFR+ and the linear program of the game. The first 100 games run
// in `make test`, all 1,000 in `make test-full`.
namespace cleave::solve {
namespace {

void compare_best_responses(int first, int end) {
  for (int i = first; i < end; ++i) {
    const std::string name = random_game_name(i);
    const Problem problem = make_problem(*games::make_game(name));
    const tree::Strategy strategy = random_strategy(problem.tree, static_cast<uint64_t>(i));
    const Certificate c = certify(problem, strategy);
    double sum = 0;
    for (int p = 0; p < 2; ++p) {
      const double lp = lp_best_response_value(problem, p, strategy);
      ASSERT_NEAR(c.best_response[static_cast<size_t>(p)], lp, 1e-7) << name;
      sum += lp;
    }
    ASSERT_NEAR(c.exploitability, sum / 2, 1e-7) << name;
  }
}

void compare_values(int first, int end) {
  for (int i = first; i < end; ++i) {
    const std::string name = random_game_name(i);
    const Problem problem = make_problem(*games::make_game(name));
    const LpSolution lp = solve_lp(problem);
    EXPECT_LE(certify(problem, lp.strategy).exploitability, 1e-7) << name;
    const auto solver = make_solver("pcfr+", problem);
    Record record;
    const RunResult result =
        run(problem, *solver, {.iterations = 200000, .target = 5e-5, .seconds = {}}, 1, {}, record);
    ASSERT_EQ(result.stopped, Stopped::kTarget) << name;
    ASSERT_NEAR(result.certificate.value, lp.value, 1e-4) << name;
  }
}

TEST(RandomGames, BestResponseEqualsTheLinearProgram) { compare_best_responses(0, 100); }
TEST(RandomGames, PredictiveCfrPlusEqualsTheLinearProgram) { compare_values(0, 100); }
TEST(FullRandomGames, BestResponseEqualsTheLinearProgram) { compare_best_responses(100, 1000); }
TEST(FullRandomGames, PredictiveCfrPlusEqualsTheLinearProgram) { compare_values(100, 1000); }

}  // namespace
}  // namespace cleave::solve
