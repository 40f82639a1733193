#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "decompose/cfr_d.h"
#include "decompose/leaves/checking_leaves.h"
#include "decompose/leaves/continuation_leaves.h"
#include "decompose/leaves/function_leaves.h"
#include "decompose/leaves/payoff_leaves.h"
#include "decompose/leaves/position_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/leaves/stored_leaves.h"
#include "decompose/tree_engine.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/sequence_lp.h"

// Every evaluator against histories counted one by one, the linear program, or another evaluator.
namespace cleave::decompose {
namespace {

struct Taken {
  Taken(const std::string& name, const char* cut)
      : game(games::make_game(name)),
        problem(solve::make_problem(*game)),
        parts(take_apart(problem, make_cut(*game, problem.tree, cut))) {}

  std::unique_ptr<TreeEngine> engine(size_t leaf) const {
    return std::make_unique<TreeEngine>(parts.subgames[leaf]);
  }
  std::unique_ptr<TreeEngine> engine(size_t leaf, const tree::Strategy& strategy) const {
    auto made = engine(leaf);
    made->set_strategy(strategy);
    return made;
  }
  PayoffLeaves payoff_leaves(const tree::Strategy& strategy) const {
    std::vector<std::unique_ptr<Engine>> engines;
    for (size_t s = 0; s < size(); ++s) engines.push_back(engine(s, strategy));
    return PayoffLeaves(std::move(engines));
  }
  Vectors reach(size_t leaf, const tree::Strategy& strategy) const {
    return border_reach(problem.tree, parts.subgames[leaf].root, strategy);
  }
  Vectors blank(size_t leaf) const {
    const Border& root = parts.subgames[leaf].root;
    return {std::vector<double>(root.states[0].size()), std::vector<double>(root.states[1].size())};
  }
  size_t size() const { return parts.subgames.size(); }

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  CutGame parts;
};

void expect_close(const Vectors& a, const Vectors& b, double tolerance) {
  for (size_t p = 0; p < 2; ++p) {
    ASSERT_EQ(a[p].size(), b[p].size());
    for (size_t s = 0; s < a[p].size(); ++s) EXPECT_NEAR(a[p][s], b[p][s], tolerance) << p << s;
  }
}

// v_p(I) = sum over h in I of chance * the other's reach * E[u | h], history by history.
Vectors counted(const Taken& taken, size_t leaf, const tree::Strategy& strategy) {
  const tree::Tree& tree = taken.problem.tree;
  const auto chance = reference::reach(tree, strategy, tree::kChance);
  const std::array reach = {reference::reach(tree, strategy, 0),
                            reference::reach(tree, strategy, 1)};
  const auto value = reference::values(tree, strategy);
  const Border& root = taken.parts.subgames[leaf].root;
  Vectors out = taken.blank(leaf);
  for (size_t i = 0; i < root.histories.size(); ++i) {
    const uint32_t h = root.histories[i];
    out[0][root.state_of[0][i]] += chance[h] * reach[1][h] * value[h];
    out[1][root.state_of[1][i]] -= chance[h] * reach[0][h] * value[h];
  }
  return out;
}

// What the subgame is worth to player one when both enter it with this reach, by linear program.
double subgame_value(const Taken& taken, size_t leaf, const Vectors& reach) {
  const Piece& piece = taken.parts.subgames[leaf];
  tree::Recipe recipe;
  for (size_t i = 0; i < piece.root.histories.size(); ++i) {
    const double own = reach[0][piece.root.state_of[0][i]] * reach[1][piece.root.state_of[1][i]];
    recipe.roots.push_back({piece.root.histories[i], piece.chance[i] * own, {}, 0});
    recipe.roots.back().entry = {tree::kNone, tree::kNone};
  }
  solve::Problem problem;
  problem.tree = tree::derive(taken.problem.tree, recipe).tree;
  problem.form = tree::make_sequence_form(problem.tree);
  return solve::solve_lp(problem).value;
}

double worth(const Vectors& reach, const Vectors& values) {
  double sum = 0;
  for (size_t s = 0; s < reach[0].size(); ++s) sum += reach[0][s] * values[0][s];
  return sum;
}

Vectors uneven_reach(const Taken& taken, size_t leaf, uint64_t seed) {
  core::Random random(seed);
  Vectors reach = taken.blank(leaf);
  for (auto& own : reach) {
    for (double& x : own) x = 0.05 + 0.95 * random.uniform();
  }
  return reach;
}

TEST(PayoffLeaves, EqualValuesCountedByHistories) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"kuhn", "depth:3"},
      {"leduc", "round:1"},
      {"goofspiel(cards=3)", "depth:2"},
      {"random(depth=5,branching=3,observations=2,seed=4,chance=0.3)", "depth:2"}};
  for (const auto& [name, cut] : cases) {
    const Taken taken(name, cut);
    const tree::Strategy strategy = random_strategy(taken.problem.tree, 7);
    PayoffLeaves leaves = taken.payoff_leaves(strategy);
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      Vectors values = taken.blank(leaf);
      leaves.evaluate(leaf, taken.reach(leaf, strategy), values);
      expect_close(values, counted(taken, leaf, strategy), 1e-12);
    }
  }
}

TEST(PositionLeaves, OfAStrategysValuesAreItsPayoffLeaves) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 7);
  const auto value = reference::values(taken.problem.tree, below);
  PayoffLeaves payoffs = taken.payoff_leaves(below);
  PositionLeaves positions(
      make_positions(taken.problem.tree, taken.parts.trunk, [&](uint32_t h) { return value[h]; }));
  CheckingLeaves both(positions, payoffs);
  TreeEngine trunk(taken.parts.trunk);
  CfrD cfr_d(trunk, both, solve::make_schedule("cfr"));
  cfr_d.run(20);
  EXPECT_LE(both.largest().size, 1e-12);
}

TEST(PositionLeaves, GivePerfectInformationGamesTheirValueAtAnyDepth) {
  // Backward induction from the leaves' exact values: v(h) is all that is needed.
  const Taken taken("nim", "depth:2");
  ASSERT_TRUE(taken.problem.tree.perfect_information);
  const solve::LpSolution exact = solve::solve_lp(taken.problem);
  const auto value = reference::values(taken.problem.tree, exact.strategy);
  PositionLeaves leaves(
      make_positions(taken.problem.tree, taken.parts.trunk, [&](uint32_t h) { return value[h]; }));
  TreeEngine trunk(taken.parts.trunk);
  CfrD cfr_d(trunk, leaves, solve::make_schedule("cfr+"));
  cfr_d.run(2000);
  EXPECT_NEAR(cfr_d.value() + taken.problem.tree.shift, exact.value, 2e-3);
}

TEST(SolvedLeaves, AgreeWithTheLinearProgram) {
  for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+"}) {
    const Taken taken("leduc(distinct=false)", "round:1");
    SolvedLeaves leaves([&](size_t leaf) { return taken.engine(leaf); },
                        {.schedule = solve::make_schedule(algorithm), .iterations = 3000});
    for (size_t leaf = 0; leaf < 2; ++leaf) {
      const Vectors reach = uneven_reach(taken, leaf, leaf + 1);
      Vectors values = taken.blank(leaf);
      leaves.evaluate(leaf, reach, values);
      EXPECT_NEAR(worth(reach, values), subgame_value(taken, leaf, reach), 3e-3) << algorithm;
      EXPECT_NEAR(worth(reach, values), -worth({reach[1], {}}, {values[1], {}}), 1e-12);
    }
  }
}

TEST(SolvedLeaves, StopAtTheAccuracyAskedFor) {
  const Taken taken("leduc(distinct=false)", "round:1");
  const Vectors reach = uneven_reach(taken, 0, 3);
  const double exact = subgame_value(taken, 0, reach);
  int64_t last = 0;
  for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4}) {
    SolvedLeaves leaves(
        [&](size_t leaf) { return taken.engine(leaf); },
        {.schedule = solve::make_schedule("pcfr+"), .iterations = 100'000, .accuracy = accuracy});
    Vectors values = taken.blank(0);
    leaves.evaluate(0, reach, values);
    EXPECT_NEAR(worth(reach, values), exact, accuracy);
    EXPECT_GT(leaves.iterations(), last);
    EXPECT_LT(leaves.iterations(), 100'000);
    last = leaves.iterations();
  }
}

// Solves one leaf with an engine that can still be asked afterwards.
struct Watched {
  Watched(const Taken& t, size_t l, const char* algorithm, int64_t iterations)
      : leaf(l),
        leaves(
            [this, &t](size_t which) {
              auto made = t.engine(which);
              engine = made.get();
              return made;
            },
            {.schedule = solve::make_schedule(algorithm),
             .iterations = iterations,
             .keep_warm = true}),
        values(t.blank(l)) {}

  void evaluate(const Vectors& reach) { leaves.evaluate(leaf, reach, values); }
  // What a best response would add, by player and state.
  Vectors gains(const Vectors& reach) {
    Vectors best = values;
    for (size_t p = 0; p < 2; ++p) {
      engine->best_response(static_cast<int>(p), reach[1 - p], best[p]);
      for (size_t s = 0; s < best[p].size(); ++s) best[p][s] -= values[p][s];
    }
    return best;
  }

  size_t leaf;
  Engine* engine = nullptr;
  SolvedLeaves leaves;
  Vectors values;
};

// Mutual counterfactual best responses (Burch et al.): a state that its own player never plays to
// is worth what it could get there, and says so to the trunk.
TEST(SolvedLeaves, RespondAlsoWhereOwnReachIsZero) {
  const Taken taken("leduc", "round:1");
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    Vectors reach = uneven_reach(taken, leaf, leaf + 1);
    reach[0][1] = reach[0][4] = reach[1][0] = 0;
    Watched watched(taken, leaf, "cfr", 1000);
    watched.evaluate(reach);
    const Vectors gains = watched.gains(reach);
    for (size_t p = 0; p < 2; ++p) {
      for (size_t s = 0; s < gains[p].size(); ++s) {
        EXPECT_GE(gains[p][s], -1e-12);
        EXPECT_LE(gains[p][s], reach[p][s] == 0 ? 1e-4 : 2e-3) << leaf << p << s;
      }
    }
  }
}

// The absent player is told what it would get against an answer to all its states alike, not
// against one that was never learnt.
TEST(SolvedLeaves, AnswerAlsoAPlayerWhoNeverComes) {
  const Taken taken("leduc", "round:1");
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    Vectors reach = uneven_reach(taken, leaf, leaf + 1);
    std::ranges::fill(reach[1], 0.0);
    Watched absent(taken, leaf, "cfr+", 500);
    absent.evaluate(reach);
    std::ranges::fill(reach[1], 1.0);
    Watched present(taken, leaf, "cfr+", 500);
    present.evaluate(reach);
    for (const double v : absent.values[0]) EXPECT_EQ(v, 0);
    EXPECT_EQ(absent.values[1], present.values[1]);
  }
}

TEST(SolvedLeaves, KeptWarmGoOnFromEarlierRegretsButNotFromEarlierAverages) {
  const Taken taken("leduc", "round:1");
  const auto gain = [](Watched& watched, const Vectors& reach) {
    const Vectors gains = watched.gains(reach);
    return worth(reach, gains) + worth({reach[1], {}}, {gains[1], {}});
  };
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    const Vectors reach = uneven_reach(taken, leaf, 51);
    Watched once(taken, leaf, "cfr+", 50);
    once.evaluate(reach);
    Watched again(taken, leaf, "cfr+", 50);
    for (int i = 0; i < 10; ++i) again.evaluate(reach);
    EXPECT_LT(gain(again, reach), gain(once, reach) / 4);
    // After long work for another trunk.
    Watched moved(taken, leaf, "cfr+", 50);
    for (int i = 0; i < 20; ++i) moved.evaluate(uneven_reach(taken, leaf, 50));
    for (int i = 0; i < 2; ++i) moved.evaluate(reach);
    EXPECT_LT(gain(moved, reach), 5e-3);
    EXPECT_NEAR(worth(reach, moved.values), subgame_value(taken, leaf, reach), 5e-3);
  }
}

TEST(SolvedLeaves, CountTheBytesTheyHold) {
  const Taken taken("leduc(bets=2:4/4)", "round:1");
  size_t largest = 0;
  size_t all = 0;
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    largest = std::max(largest, taken.engine(leaf)->learning_bytes());
    all += taken.engine(leaf)->learning_bytes();
  }
  ASSERT_LT(largest, all);
  for (const bool keep : {false, true}) {
    SolvedLeaves leaves(
        [&](size_t leaf) { return taken.engine(leaf); },
        {.schedule = solve::make_schedule("cfr"), .iterations = 1, .keep_warm = keep});
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      Vectors values = taken.blank(leaf);
      leaves.evaluate(leaf, uneven_reach(taken, leaf, 1), values);
    }
    EXPECT_EQ(leaves.peak_learning_bytes(), keep ? all : largest);
    leaves.reset();
    EXPECT_EQ(leaves.peak_learning_bytes(), 0U);
  }
}

TEST(StoredLeaves, AnswerWithWhatIsStored) {
  const Taken taken("kuhn", "depth:3");
  std::vector<Vectors> stored;
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    stored.push_back(uneven_reach(taken, leaf, leaf));
  }
  StoredLeaves leaves(stored);
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    Vectors values = taken.blank(leaf);
    leaves.evaluate(leaf, uneven_reach(taken, leaf, 99), values);
    EXPECT_EQ(values, stored[leaf]);
  }
  Vectors values;
  EXPECT_THROW(leaves.evaluate(taken.size(), values, values), core::InputError);
}

std::string error_of(const Taken& taken, const ValueFunction& function) {
  FunctionLeaves leaves(function);
  TreeEngine trunk(taken.parts.trunk);
  CfrD cfr_d(trunk, leaves, solve::make_schedule("cfr"));
  try {
    cfr_d.run(1);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FunctionLeaves, BadAnswersAreRefused) {
  const Taken taken("leduc", "round:1");
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_EQ(error_of(taken, [](size_t, const Vectors&, Vectors&) {}), "");
  EXPECT_THAT(error_of(taken,
                       [](size_t leaf, const Vectors&, Vectors& values) {
                         if (leaf == 2) values[1][3] = std::numeric_limits<double>::quiet_NaN();
                       }),
              AllOf(HasSubstr("leaf 3"), HasSubstr("player 2"), HasSubstr("state 4")));
  EXPECT_THAT(error_of(taken, [](size_t, const Vectors&, Vectors& values) { values[0].resize(5); }),
              AllOf(HasSubstr("5 values"), HasSubstr("has 6")));
  EXPECT_THAT(error_of(taken,
                       [](size_t, const Vectors&, Vectors& values) {
                         values[0][0] = std::numeric_limits<double>::infinity();
                       }),
              HasSubstr("finite"));
}

TEST(FunctionLeaves, SeeTheReachOfBoth) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 2);
  PayoffLeaves payoffs = taken.payoff_leaves(below);
  FunctionLeaves functions([&](size_t leaf, const Vectors& reach, Vectors& values) {
    taken.engine(leaf, below)->evaluate(reach, values);
  });
  CheckingLeaves both(functions, payoffs);
  TreeEngine trunk(taken.parts.trunk);
  CfrD(trunk, both, solve::make_schedule("cfr")).run(5);
  EXPECT_EQ(both.largest().size, 0);
}

TEST(ContinuationLeaves, OfOneStrategyAreItsPayoffs) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 2);
  for (int hero = 0; hero < 2; ++hero) {
    std::vector<std::vector<std::unique_ptr<Engine>>> engines(taken.size());
    for (size_t s = 0; s < taken.size(); ++s) {
      // The same strategy under three names must not matter either.
      for (int k = 0; k < 3; ++k) engines[s].push_back(taken.engine(s, below));
    }
    ContinuationLeaves continuations(hero, std::move(engines));
    PayoffLeaves payoffs = taken.payoff_leaves(below);
    CheckingLeaves both(continuations, payoffs);
    TreeEngine trunk(taken.parts.trunk);
    CfrD(trunk, both, solve::make_schedule("cfr")).run(10);
    EXPECT_LE(both.largest().size, 1e-12);
  }
}

// Brown, Sandholm and Amos 2018, section 3: rock-paper-scissors cut after player one's move.
std::vector<double> rock_paper_scissors(const std::vector<std::vector<double>>& continuations) {
  const Taken taken("rps", "depth:1");
  const tree::Tree& tree = taken.problem.tree;
  std::vector<std::vector<std::unique_ptr<Engine>>> engines(1);
  for (const auto& mix : continuations) {
    tree::Strategy strategy = tree::uniform_strategy(tree);
    std::ranges::copy(mix, strategy.begin() + tree.slot_begin[tree.infoset_begin[1]]);
    engines[0].push_back(taken.engine(0, strategy));
  }
  ContinuationLeaves leaves(0, std::move(engines));
  TreeEngine trunk(taken.parts.trunk);
  CfrD(trunk, leaves, solve::make_schedule("cfr+")).run(20'000);
  tree::Strategy strategy = tree::uniform_strategy(tree);
  trunk.copy_strategy(0, strategy);
  return {strategy.begin(), strategy.begin() + 3};
}

TEST(ContinuationLeaves, ChoiceAmongContinuationsBringsBackTheEquilibrium) {
  const auto against_one = rock_paper_scissors({{0.6, 0.2, 0.2}});
  EXPECT_GT(*std::ranges::max_element(against_one), 0.99);
  for (const double p : rock_paper_scissors({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})) {
    EXPECT_NEAR(p, 1.0 / 3, 0.02);
  }
}

TEST(ContinuationLeaves, OpponentLearnsItsBestContinuationAtEachState) {
  const Taken taken("leduc", "round:1");
  std::vector<tree::Strategy> strategies;
  for (uint64_t k = 0; k < 3; ++k) {
    strategies.push_back(random_strategy(taken.problem.tree, k + 1));
    // The hero, player two, goes on by the same blueprint in all of them.
    std::copy(
        strategies[0].begin() + taken.problem.tree.slot_begin[taken.problem.tree.infoset_begin[1]],
        strategies[0].end(),
        strategies[k].begin() + taken.problem.tree.slot_begin[taken.problem.tree.infoset_begin[1]]);
  }
  std::vector<std::vector<std::unique_ptr<Engine>>> engines(1);
  for (const auto& strategy : strategies) engines[0].push_back(taken.engine(0, strategy));
  ContinuationLeaves leaves(1, std::move(engines));
  const Vectors reach = uneven_reach(taken, 0, 6);
  Vectors values = taken.blank(0);
  for (int i = 0; i < 5000; ++i) leaves.evaluate(0, reach, values);
  std::vector<double> best(reach[0].size(), -1e9);
  Vectors one = taken.blank(0);
  for (const auto& strategy : strategies) {
    taken.engine(0, strategy)->evaluate(reach, one);
    for (size_t s = 0; s < best.size(); ++s) best[s] = std::max(best[s], one[0][s]);
  }
  for (size_t s = 0; s < best.size(); ++s) {
    EXPECT_NEAR(values[0][s], best[s], 1e-6);
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) sum += leaves.choice(0, s, k);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_NEAR(worth(reach, values), -worth({reach[1], {}}, {values[1], {}}), 1e-12);
  leaves.reset();
  EXPECT_NEAR(leaves.choice(0, 0, 0), 1.0 / 3, 1e-15);
}

TEST(ContinuationLeaves, NeedAtLeastOneStrategy) {
  std::vector<std::vector<std::unique_ptr<Engine>>> none(2);
  EXPECT_THROW(ContinuationLeaves(0, std::move(none)), core::InputError);
}

TEST(CheckingLeaves, FindTheLargestDifference) {
  const Taken taken("leduc", "round:1");
  FunctionLeaves zero([](size_t, const Vectors&, Vectors& values) {
    for (auto& own : values) std::ranges::fill(own, 0.0);
  });
  FunctionLeaves other([](size_t leaf, const Vectors&, Vectors& values) {
    for (auto& own : values) std::ranges::fill(own, 0.25);
    if (leaf == 3) values[1][2] = -2;
  });
  CheckingLeaves both(zero, other);
  TreeEngine trunk(taken.parts.trunk);
  CfrD(trunk, both, solve::make_schedule("cfr")).run(2);
  const CheckingLeaves::Difference& d = both.largest();
  EXPECT_EQ(d.size, 2);
  EXPECT_EQ(d.leaf, 3U);
  EXPECT_EQ(d.player, 1U);
  EXPECT_EQ(d.state, 2U);
  EXPECT_EQ(d.first, 0);
  EXPECT_EQ(d.second, -2);
  both.reset();
  EXPECT_EQ(both.largest().size, 0);
  FunctionLeaves wrong([](size_t, const Vectors&, Vectors& values) { values[0].clear(); });
  CheckingLeaves unequal(zero, wrong);
  EXPECT_THROW(CfrD(trunk, unequal, solve::make_schedule("cfr")).run(1), core::InputError);
}

}  // namespace
}  // namespace cleave::decompose
