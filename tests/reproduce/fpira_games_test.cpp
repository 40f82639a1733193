#include "reproduce/fpira_games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "core/threads.h"

namespace cleave::reproduce {
namespace {

using testing::HasSubstr;

// Betting sequences that end a round without a fold are e = 1 + 2 (k + k^2 + ... + k^(r+1)); the
// paper counts 8 e + 48 e^2 information sets.
double closed_form(const CermakRow& row) {
  double e = 1;
  double power = 1;
  for (int i = 0; i <= row.raises; ++i) {
    power *= row.sizes;
    e += 2 * power;
  }
  return 8 * e + 48 * e * e;
}

TEST(FpiraGames, ThePapersCountsAreTheClosedForm) {
  for (const CermakRow& row : kCermakRows) EXPECT_EQ(row.infosets, closed_form(row)) << row.name();
}

TEST(FpiraGames, CompiledGamesHaveThePapersCounts) {
  const Context context;
  const std::array<double, 2> acting = {2'968, 10'504};
  for (size_t i = 0; i < acting.size(); ++i) {
    const auto game = make_counted_game(context, kCermakRows[i].game());
    EXPECT_EQ(game->with_ends, kCermakRows[i].infosets);
    EXPECT_EQ(game->acting, acting[i]);
  }
}

TEST(FpiraGames, RunsReachTheirTargetAndSaySo) {
  const Context context;
  const auto game = make_counted_game(context, kCermakRows[0].game());
  const RunFigures run = run_to(context, *game, {.algorithm = fpira_spec("merge"), .target = 0.3});
  EXPECT_TRUE(run.reached);
  EXPECT_LE(run.exploitability, 0.3);
  EXPECT_GT(run.exploitability, 0);
  EXPECT_GT(run.abstraction.cells, run.abstraction.first_cells);
  EXPECT_LT(static_cast<double>(run.abstraction.cells), game->acting);
  EXPECT_EQ(run.bytes(),
            static_cast<double>(run.abstraction.strategy_bytes + run.abstraction.partition_bytes +
                                run.abstraction.response_bytes));
  const RunFigures other =
      run_to(context, *game, {.algorithm = fpira_spec("paper"), .target = 0.3});
  EXPECT_EQ(other.iterations, run.iterations);
  EXPECT_EQ(other.exploitability, run.exploitability);
  EXPECT_GT(other.abstraction.cells, run.abstraction.cells);
}

TEST(FpiraGames, ProgressFromSeveralThreadsComesOneLineAtATime) {
  Context context;
  int inside = 0;
  int lines = 0;
  context.progress = [&](const std::string&) {
    EXPECT_EQ(++inside, 1);
    ++lines;
    --inside;
  };
  const Context locked = for_threads(context);
  core::parallel_for(1000, 4, [&](size_t) { locked.say("line"); });
  EXPECT_EQ(lines, 1000);
}

TEST(FpiraGames, PercentagesCompareAtOneDecimal) {
  EXPECT_EQ(one_decimal(31.14), 31.1);
  EXPECT_EQ(one_decimal(1.86), 1.9);
  EXPECT_EQ(cermak_random_game(8, 3), "random(depth=8,branching=5,observations=4,seed=3)");
}

TEST(FpiraGames, TargetsStopWhenAsked) {
  const std::atomic<bool> stop = true;
  Context context;
  context.quick = true;
  context.stop = &stop;
  for (const char* name : {"fpira-table", "fpira-fig2", "fpira-random", "cfr-ira-table"}) {
    EXPECT_THROW(find_target(name).run(context), core::RunError) << name;
    EXPECT_THAT(find_target(name).source, HasSubstr("Cermak")) << name;
  }
}

}  // namespace
}  // namespace cleave::reproduce
