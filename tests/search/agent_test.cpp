#include "search/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "decompose/resolve.h"
#include "random_strategy.h"
#include "search/blueprint.h"
#include "search/table.h"
#include "solve/solver.h"
#include "tree/strategy_file.h"

namespace cleave::search {
namespace {

using testing::HasSubstr;

TEST(Agents, UniformAndSolvedAreWhatTheySay) {
  const GameTable kuhn("kuhn");
  EXPECT_EQ(kuhn.strategy("uniform"), tree::uniform_strategy(kuhn.problem.tree));
  const auto solver = solve::make_solver("dcfr(gamma=3)", kuhn.problem);
  for (int i = 0; i < 50; ++i) solver->iterate();
  EXPECT_EQ(kuhn.strategy("solve(algorithm=dcfr(gamma=3),iterations=50)"), solver->strategy());
  EXPECT_LT(kuhn.exploitability("solve(algorithm=lp)"), 1e-9);
}

TEST(Agents, SeedReachesSamplingSolvers) {
  const GameTable kuhn("kuhn");
  const std::string spec = "solve(algorithm=external-sampling,iterations=20)";
  const Setting other{kuhn.any, 2};
  const auto second = make_agent(spec, other);
  EXPECT_EQ(kuhn.strategy(spec), kuhn.strategy(spec));
  EXPECT_NE(kuhn.strategy(spec), kuhn.any.strategy(*second->complete()));
}

TEST(Agents, BlueprintFromAFile) {
  const GameTable kuhn("kuhn");
  const std::string file = testing::TempDir() + "agent_blueprint.csv";
  const tree::Strategy strategy = random_strategy(kuhn.problem.tree, 5);
  tree::write_strategy(*kuhn.game, kuhn.problem.tree, strategy, file);
  EXPECT_EQ(kuhn.strategy("blueprint(file=" + file + ")"), strategy);
  std::remove(file.c_str());
}

// Asked at the table an agent does what it says it does everywhere.
TEST(Agents, AnswerAsTheyAreWrittenDown) {
  const GameTable leduc("leduc(ranks=2)");
  for (const char* spec :
       {"uniform", "solve(iterations=20)", "continual(iterations=5)",
        "resolve(cut=round:1,iterations=20,blueprint=solve(iterations=3))",
        "resolve(cut=round:1,method=reach-maxmargin,iterations=9,blueprint=solve(iterations=3))"}) {
    const tree::Strategy written = leduc.strategy(spec);
    const tree::Strategy asked = leduc.ask_backwards(*leduc.agent(spec));
    for (size_t slot = 0; slot < written.size(); ++slot) {
      ASSERT_NEAR(asked[slot], written[slot], 1e-12) << spec;
    }
  }
}

// The agent thinks subgame by subgame; the library's own loop does all of them in one go.
TEST(ResolvingAgent, PlaysWhatResolvingEverythingGives) {
  const GameTable leduc("leduc");
  for (const std::string name : {"resolve", "unsafe", "reach-maxmargin(gifts=single)"}) {
    const auto blueprint = leduc.agent("solve(algorithm=cfr,iterations=30)")->complete();
    const std::shared_ptr<decompose::Recombined> expected = leduc.any.recombine(*blueprint);
    decompose::Resolution::Options options;
    options.solving.iterations = 40;
    options.solving.keep_unreached = true;
    options.passes = {decompose::make_pass(name)};
    options.take = [&](size_t hero, size_t, const decompose::Piece& piece,
                       decompose::Engine& engine) { expected->take(piece, engine, hero); };
    decompose::Resolution(leduc.any.piece("round:1"), blueprint, leduc.any.root_reach(), options)
        .run();
    EXPECT_EQ(leduc.strategy("resolve(cut=round:1,iterations=40,method=" + name +
                             ",blueprint=solve(algorithm=cfr,iterations=30))"),
              leduc.any.strategy(*expected))
        << name;
  }
}

TEST(ResolvingAgent, RepairsABlueprintSafely) {
  const GameTable leduc("leduc");
  const double before = leduc.exploitability("solve(algorithm=cfr+,iterations=20)");
  const double after = leduc.exploitability(
      "resolve(cut=round:1,iterations=500,blueprint=solve(algorithm=cfr+,iterations=20))");
  EXPECT_LT(after, before);
}

TEST(Agents, RefuseWhatTheyCannotRead) {
  const GameTable leduc("leduc");
  const auto refusal = [&](const std::string& spec) -> std::string {
    try {
      leduc.agent(spec);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("nobody"), HasSubstr("there are uniform, blueprint, solve, resolve"));
  EXPECT_THAT(refusal("uniform(x=1)"), HasSubstr("no parameter 'x'"));
  EXPECT_THAT(refusal("solve(iterations=0)"), HasSubstr("a whole number from 1"));
  EXPECT_THAT(refusal("solve(algorithm=magic)"), HasSubstr("no algorithm 'magic'"));
  EXPECT_THAT(refusal("solve(algorithm=dcfr(x=1))"), HasSubstr("no parameter 'x'"));
  EXPECT_THAT(refusal("blueprint"), HasSubstr("needs a strategy"));
  EXPECT_THAT(refusal("blueprint(file=nowhere.csv)"), HasSubstr("nowhere.csv"));
  EXPECT_THAT(refusal("resolve"), HasSubstr("needs a cut"));
  EXPECT_THAT(refusal("resolve(cut=round:7)"), HasSubstr("round:7"));
  EXPECT_THAT(refusal("resolve(cut=round:1,method=magic)"), HasSubstr("no method 'magic'"));
  EXPECT_THAT(refusal("resolve(cut=round:1,algorithm=lp)"), HasSubstr("lp"));
  EXPECT_THAT(refusal("resolve(cut=round:1,blueprint=continual)"),
              HasSubstr("cannot be a blueprint"));
  EXPECT_THAT(refusal("continual(depth=-1)"), HasSubstr("depth"));
  EXPECT_THAT(refusal("continual(leaves=tea)"),
              HasSubstr("there are solved, warm, parked, bucket"));
  EXPECT_THAT(refusal("continual(leaves=blueprint)"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("continual(blueprint=uniform)"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("continual(method=reach-maxmargin)"), HasSubstr("leave 'reach' out"));
  EXPECT_THAT(refusal("continual(algorithm=lp)"), HasSubstr("lp"));
  EXPECT_THAT(refusal("search"), HasSubstr("perfect information"));
}

TEST(Agents, StopWhileThinking) {
  const GameTable kuhn("kuhn");
  std::atomic<bool> stop = false;
  Setting setting{kuhn.any, 1, 1, &stop, {}};
  int64_t seen = 0;
  setting.progress = [&](std::string_view, int64_t done, int64_t) {
    seen = done;
    if (done == 10) stop = true;
  };
  EXPECT_THROW(make_agent("solve(iterations=1000)", setting), Interrupted);
  EXPECT_EQ(seen, 10);
  stop = false;
  const auto agent = make_agent("continual(iterations=1000)", setting);
  EXPECT_THROW(kuhn.ask(*agent, 0), Interrupted);
  stop = false;
  const auto resolving = make_agent("resolve(cut=depth:3,blueprint=uniform)", setting);
  stop = true;
  EXPECT_THROW(resolving->complete(), Interrupted);
}

}  // namespace
}  // namespace cleave::search
