#include "search/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "histories/resolve.h"
#include "random_strategy.h"
#include "search/blueprint.h"
#include "search/resolving.h"
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
  const Setting other{*kuhn.game, kuhn.problem, 2};
  const auto second = make_agent(spec, other);
  EXPECT_EQ(kuhn.strategy(spec), kuhn.strategy(spec));
  EXPECT_NE(kuhn.strategy(spec), complete_strategy(kuhn.problem.tree, *second));
}

TEST(Agents, BlueprintFromAFile) {
  const GameTable kuhn("kuhn");
  const std::string file = testing::TempDir() + "agent_blueprint.csv";
  const tree::Strategy strategy = random_strategy(kuhn.problem.tree, 5);
  tree::write_strategy(*kuhn.game, kuhn.problem.tree, strategy, file);
  EXPECT_EQ(kuhn.strategy("blueprint(file=" + file + ")"), strategy);
  std::remove(file.c_str());
}

TEST(Agents, EachSeatAsksItsOwnAgent) {
  const GameTable kuhn("kuhn");
  const tree::Tree& tree = kuhn.problem.tree;
  BlueprintAgent one(tree, random_strategy(tree, 1));
  BlueprintAgent two(tree, random_strategy(tree, 2));
  const tree::Strategy both = complete_strategy(tree, one, two);
  const uint32_t middle = tree.slot_begin[tree.infoset_begin[1]];
  for (uint32_t slot = 0; slot < tree.num_slots(); ++slot) {
    EXPECT_EQ(both[slot], (slot < middle ? one : two).strategy()[slot]);
  }
}

// The agent thinks subgame by subgame; the library's own loop does all of them in one go.
TEST(ResolvingAgent, PlaysWhatResolvingEverythingGives) {
  const GameTable leduc("leduc");
  for (const std::string name : {"resolve", "unsafe", "reach-maxmargin(gifts=single)"}) {
    const auto game = histories::take_apart(
        leduc.problem, histories::make_cut(*leduc.game, leduc.problem.tree, "round:1"));
    const tree::Strategy blueprint = leduc.strategy("solve(algorithm=cfr,iterations=30)");
    const auto expected =
        histories::resolve_all(game, histories::summarise(game, blueprint),
                               decompose::make_method(name), {.iterations = 40}, blueprint);
    EXPECT_EQ(leduc.strategy("resolve(cut=round:1,iterations=40,method=" + name +
                             ",blueprint=solve(algorithm=cfr,iterations=30))"),
              expected)
        << name;
  }
}

TEST(ResolvingAgent, DoesNotDependOnTheOrderOfQuestions) {
  const GameTable kuhn("kuhn");
  const std::string spec = "resolve(cut=depth:3,iterations=20,blueprint=solve(iterations=3))";
  const tree::Strategy forwards = kuhn.strategy(spec);
  const auto agent = kuhn.agent(spec);
  const tree::Tree& tree = kuhn.problem.tree;
  tree::Strategy backwards(tree.num_slots());
  for (auto set = static_cast<uint32_t>(tree.num_infosets()); set-- > 0;) {
    agent->act(set, std::span(backwards).subspan(tree.slot_begin[set], tree.num_actions(set)));
  }
  EXPECT_EQ(forwards, backwards);
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
              HasSubstr("warm, solved, blueprint, continuations, zero"));
  EXPECT_THAT(refusal("continual(leaves=blueprint)"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("continual(blueprint=uniform)"), HasSubstr("belong together"));
  EXPECT_THAT(refusal("continual(method=reach-maxmargin)"), HasSubstr("leave 'reach' out"));
  EXPECT_THAT(refusal("continual(algorithm=lp)"), HasSubstr("lp"));
  EXPECT_THAT(refusal("search"), HasSubstr("perfect information"));
}

TEST(Agents, StopWhileThinking) {
  const GameTable kuhn("kuhn");
  std::atomic<bool> stop = false;
  Setting setting{*kuhn.game, kuhn.problem, 1, &stop, {}};
  int64_t seen = 0;
  setting.progress = [&](std::string_view, int64_t done, int64_t) {
    seen = done;
    if (done == 10) stop = true;
  };
  EXPECT_THROW(make_agent("solve(iterations=1000)", setting), Interrupted);
  EXPECT_EQ(seen, 10);
  stop = false;
  const auto agent = make_agent("continual(iterations=1000)", setting);
  double probabilities[2];
  EXPECT_THROW(agent->act(0, probabilities), Interrupted);
  stop = false;
  const auto resolving = make_agent("resolve(cut=depth:3,blueprint=uniform)", setting);
  stop = true;
  EXPECT_THROW(complete_strategy(kuhn.problem.tree, *resolving), Interrupted);
}

}  // namespace
}  // namespace cleave::search
