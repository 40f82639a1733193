#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "cut_game.h"
#include "decompose/cfr_d.h"
#include "decompose/leaf_registry.h"
#include "decompose/leaves/bucket_leaves.h"
#include "decompose/leaves/continuation_leaves.h"
#include "decompose/leaves/function_leaves.h"
#include "decompose/leaves/plain_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "games/registry.h"
#include "histories/position_leaves.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/sequence_lp.h"

// Every evaluator against histories counted one by one, the linear program, or another evaluator.
namespace cleave::histories {
namespace {

using decompose::LeafState;
using decompose::Players;

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
  // What an evaluator sees of a leaf.
  LeafState leaf(size_t leaf, decompose::Vectors reach) const {
    return {parts.trunk.below(leaf, 0).piece, std::move(reach), blank(leaf)};
  }
  decompose::Vectors reach(size_t leaf, const tree::Strategy& strategy) const {
    return border_reach(problem.tree, parts.subgames[leaf].root, strategy);
  }
  decompose::Vectors blank(size_t leaf) const {
    const Border& root = parts.subgames[leaf].root;
    return {std::vector<double>(root.states[0].size()), std::vector<double>(root.states[1].size())};
  }
  size_t size() const { return parts.subgames.size(); }

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  CutGame parts;
};

std::shared_ptr<const TreeProfile> profile_of(const tree::Strategy& strategy) {
  return std::make_shared<TreeProfile>(strategy);
}

std::unique_ptr<decompose::LeafEvaluator> payoff_leaves(const tree::Strategy& strategy) {
  return std::make_unique<decompose::PayoffLeaves>(profile_of(strategy));
}

// CFR-D of the trunk.
void run_above(const Taken& taken, decompose::LeafEvaluator& leaves, const char* algorithm,
               int64_t iterations) {
  TreeEngine trunk(taken.parts.trunk);
  decompose::CfrD(taken.parts.trunk, trunk, decompose::full_reach(trunk), leaves,
                  solve::make_schedule(algorithm))
      .run(iterations);
}

void expect_close(const decompose::Vectors& a, const decompose::Vectors& b, double tolerance) {
  for (size_t p = 0; p < 2; ++p) {
    ASSERT_EQ(a[p].size(), b[p].size());
    for (size_t s = 0; s < a[p].size(); ++s) EXPECT_NEAR(a[p][s], b[p][s], tolerance) << p << s;
  }
}

// v_p(I) = sum over h in I of chance * the other's reach * E[u | h], history by history.
decompose::Vectors counted(const Taken& taken, size_t leaf, const tree::Strategy& strategy) {
  const tree::Tree& tree = taken.problem.tree;
  const auto chance = reference::reach(tree, strategy, tree::kChance);
  const std::array reach = {reference::reach(tree, strategy, 0),
                            reference::reach(tree, strategy, 1)};
  const auto value = reference::values(tree, strategy);
  const Border& root = taken.parts.subgames[leaf].root;
  decompose::Vectors out = taken.blank(leaf);
  for (size_t i = 0; i < root.histories.size(); ++i) {
    const uint32_t h = root.histories[i];
    out[0][root.state_of[0][i]] += chance[h] * reach[1][h] * value[h];
    out[1][root.state_of[1][i]] -= chance[h] * reach[0][h] * value[h];
  }
  return out;
}

// What the subgame is worth to player one when both enter it with this reach, by linear program.
double subgame_value(const Taken& taken, size_t leaf, const decompose::Vectors& reach) {
  const TreePiece& piece = taken.parts.subgames[leaf];
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

double worth(const decompose::Vectors& reach, const decompose::Vectors& values) {
  double sum = 0;
  for (size_t s = 0; s < reach[0].size(); ++s) sum += reach[0][s] * values[0][s];
  return sum;
}

decompose::Vectors uneven_reach(const Taken& taken, size_t leaf, uint64_t seed) {
  core::Random random(seed);
  decompose::Vectors reach = taken.blank(leaf);
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
    const auto leaves = payoff_leaves(strategy);
    std::vector<LeafState> states;
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      states.push_back(taken.leaf(leaf, taken.reach(leaf, strategy)));
    }
    std::vector<LeafState> one_by_one = states;
    leaves->evaluate(states, Players::kBoth);
    for (size_t p = 0; p < 2; ++p) leaves->evaluate(one_by_one, decompose::only(p));
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      expect_close(states[leaf].values, counted(taken, leaf, strategy), 1e-12);
      EXPECT_EQ(one_by_one[leaf].values, states[leaf].values);
    }
  }
}

TEST(PositionLeaves, OfAStrategysValuesAreItsPayoffLeaves) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 7);
  const auto value = reference::values(taken.problem.tree, below);
  auto positions = std::make_unique<PositionLeaves>(
      make_positions(taken.problem.tree, taken.parts.trunk, [&](uint32_t h) { return value[h]; }));
  decompose::CheckingLeaves both(std::move(positions), payoff_leaves(below));
  run_above(taken, both, "cfr", 20);
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
  decompose::CfrD cfr_d(taken.parts.trunk, trunk, decompose::full_reach(trunk), leaves,
                        solve::make_schedule("cfr+"));
  cfr_d.run(2000);
  EXPECT_NEAR(cfr_d.value() + taken.problem.tree.shift, exact.value, 2e-3);
}

TEST(SolvedLeaves, AgreeWithTheLinearProgram) {
  for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+"}) {
    const Taken taken("leduc(distinct=false)", "round:1");
    decompose::SolvedLeaves leaves(
        {.schedule = solve::make_schedule(algorithm), .iterations = 3000});
    std::vector<LeafState> states;
    for (size_t leaf = 0; leaf < 2; ++leaf) {
      states.push_back(taken.leaf(leaf, uneven_reach(taken, leaf, leaf + 1)));
    }
    leaves.evaluate(states, Players::kBoth);
    for (size_t leaf = 0; leaf < 2; ++leaf) {
      const decompose::Vectors &reach = states[leaf].reach, &values = states[leaf].values;
      EXPECT_NEAR(worth(reach, values), subgame_value(taken, leaf, reach), 3e-3) << algorithm;
      EXPECT_NEAR(worth(reach, values), -worth({reach[1], {}}, {values[1], {}}), 1e-12);
    }
  }
}

TEST(SolvedLeaves, StopAtTheAccuracyAskedFor) {
  const Taken taken("leduc(distinct=false)", "round:1");
  const decompose::Vectors reach = uneven_reach(taken, 0, 3);
  const double exact = subgame_value(taken, 0, reach);
  int64_t last = 0;
  for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4}) {
    decompose::SolvedLeaves leaves(
        {.schedule = solve::make_schedule("pcfr+"), .iterations = 100'000, .accuracy = accuracy});
    LeafState state = taken.leaf(0, reach);
    leaves.evaluate({&state, 1}, Players::kBoth);
    EXPECT_NEAR(worth(reach, state.values), exact, accuracy);
    EXPECT_GT(leaves.iterations(), last);
    EXPECT_LT(leaves.iterations(), 100'000);
    last = leaves.iterations();
  }
}

// Solves one leaf with an engine that can still be asked afterwards.
struct Watched {
  Watched(const Taken& taken, size_t leaf, const char* algorithm, int64_t iterations)
      : leaves({.schedule = solve::make_schedule(algorithm),
                .iterations = iterations,
                .keep_warm = true,
                .make_engine =
                    [this](const decompose::Piece& piece, int threads) {
                      auto made = piece.engine(threads);
                      engine = made.get();
                      return made;
                    }}),
        state(taken.leaf(leaf, {})) {}

  void evaluate(const decompose::Vectors& reach) {
    state.reach = reach;
    leaves.evaluate({&state, 1}, Players::kBoth);
  }
  // What a best response would add, by player and state.
  decompose::Vectors gains(const decompose::Vectors& reach) {
    decompose::Vectors best = state.values;
    for (size_t p = 0; p < 2; ++p) {
      engine->best_response(p, reach[1 - p], best[p]);
      for (size_t s = 0; s < best[p].size(); ++s) best[p][s] -= state.values[p][s];
    }
    return best;
  }

  decompose::Engine* engine = nullptr;
  decompose::SolvedLeaves leaves;
  LeafState state;
};

// Mutual counterfactual best responses (Burch et al.): a state that its own player never plays to
// is worth what it could get there, and says so to the trunk.
TEST(SolvedLeaves, RespondAlsoWhereOwnReachIsZero) {
  const Taken taken("leduc", "round:1");
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    decompose::Vectors reach = uneven_reach(taken, leaf, leaf + 1);
    reach[0][1] = reach[0][4] = reach[1][0] = 0;
    Watched watched(taken, leaf, "cfr", 1000);
    watched.evaluate(reach);
    const decompose::Vectors gains = watched.gains(reach);
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
    decompose::Vectors reach = uneven_reach(taken, leaf, leaf + 1);
    std::ranges::fill(reach[1], 0.0);
    Watched absent(taken, leaf, "cfr+", 500);
    absent.evaluate(reach);
    std::ranges::fill(reach[1], 1.0);
    Watched present(taken, leaf, "cfr+", 500);
    present.evaluate(reach);
    for (const double v : absent.state.values[0]) EXPECT_EQ(v, 0);
    EXPECT_EQ(absent.state.values[1], present.state.values[1]);
  }
}

TEST(SolvedLeaves, KeptWarmGoOnFromEarlierRegretsButNotFromEarlierAverages) {
  const Taken taken("leduc", "round:1");
  const auto gain = [](Watched& watched, const decompose::Vectors& reach) {
    const decompose::Vectors gains = watched.gains(reach);
    return worth(reach, gains) + worth({reach[1], {}}, {gains[1], {}});
  };
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    const decompose::Vectors reach = uneven_reach(taken, leaf, 51);
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
    EXPECT_NEAR(worth(reach, moved.state.values), subgame_value(taken, leaf, reach), 5e-3);
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
    decompose::SolvedLeaves leaves(
        {.schedule = solve::make_schedule("cfr"), .iterations = 1, .keep_warm = keep});
    std::vector<LeafState> states;
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      states.push_back(taken.leaf(leaf, uneven_reach(taken, leaf, 1)));
    }
    leaves.evaluate(states, Players::kBoth);
    EXPECT_EQ(leaves.peak_learning_bytes(), keep ? all : largest);
    leaves.reset();
    EXPECT_EQ(leaves.peak_learning_bytes(), 0U);
  }
}

TEST(StoredLeaves, AnswerWithWhatIsStored) {
  const Taken taken("kuhn", "depth:3");
  std::vector<decompose::Vectors> stored;
  std::vector<decompose::Summary> summaries;
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    stored.push_back(uneven_reach(taken, leaf, leaf));
    summaries.push_back({taken.blank(leaf), stored.back(), taken.blank(leaf)});
  }
  decompose::StoredLeaves leaves(decompose::KeptSummaries(taken.parts.trunk, summaries));
  std::vector<LeafState> states;
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    states.push_back(taken.leaf(leaf, uneven_reach(taken, leaf, 99)));
  }
  leaves.evaluate(states, Players::kBoth);
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) EXPECT_EQ(states[leaf].values, stored[leaf]);
  // Another piece of the same game.
  states.push_back({taken.parts.trunk.whole(), {}, {}});
  EXPECT_THROW(leaves.evaluate(states, Players::kBoth), core::InputError);
}

// What CFR-D takes the game to be worth, with leaves by name.
double value_above(const Taken& taken, const std::string& leaves, int64_t iterations) {
  const auto made = decompose::make_leaves(core::parse_call(leaves), {});
  TreeEngine trunk(taken.parts.trunk);
  decompose::CfrD run(taken.parts.trunk, trunk, decompose::full_reach(trunk), *made,
                      solve::make_schedule("cfr+"));
  run.run(iterations);
  return run.value();
}

constexpr double kLeducValue = -0.0856;

// Where no two states share a bucket it is CFR+ of the whole game.
TEST(BucketLeaves, ComeToTheGamesValueByManyClassesOnly) {
  const Taken taken("leduc", "round:1");
  EXPECT_NEAR(value_above(taken, "bucket(classes=1000000)", 400), kLeducValue, 2e-3);
  EXPECT_GT(std::abs(value_above(taken, "bucket(classes=1)", 400) - kLeducValue), 2e-2);
}

TEST(BucketLeaves, KeepBucketsAndOneEngine) {
  const Taken taken("leduc", "round:1");
  std::vector<LeafState> states;
  size_t rows = 0, largest = 0;
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    states.push_back(taken.leaf(leaf, uneven_reach(taken, leaf, leaf)));
    rows += taken.engine(leaf)->num_decisions();
    largest = std::max(largest, taken.engine(leaf)->learning_bytes());
  }
  size_t last = 0;
  for (const int64_t classes : {1, 2, 1000000}) {
    decompose::BucketLeaves leaves({solve::make_schedule("cfr+"), classes, 1});
    leaves.evaluate(states, Players::kBoth);
    EXPECT_GT(leaves.num_buckets(), last);
    EXPECT_LE(leaves.num_buckets(), rows);
    EXPECT_GT(leaves.peak_learning_bytes(), largest + rows * sizeof(uint32_t));
    last = leaves.num_buckets();
  }
  // All that differs, but for suits: three hands at each of six places for each of six cards.
  EXPECT_EQ(last, taken.size() * 6 * 6 * 3);
  // One for each place.
  decompose::BucketLeaves one({solve::make_schedule("cfr+"), 1, 1});
  one.evaluate(states, Players::kBoth);
  EXPECT_EQ(one.num_buckets(), taken.size() * 6 * 6);
}

TEST(BucketLeaves, ThreadsDoNotMatter) {
  const Taken taken("leduc", "round:1");
  std::array<std::vector<LeafState>, 2> states;
  for (size_t i = 0; i < 2; ++i) {
    for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
      states[i].push_back(taken.leaf(leaf, uneven_reach(taken, leaf, leaf)));
    }
    decompose::BucketLeaves leaves({solve::make_schedule("cfr+"), 7, i == 0 ? 1 : 3});
    for (int t = 0; t < 5; ++t) leaves.evaluate(states[i], Players::kBoth);
  }
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    EXPECT_EQ(states[0][leaf].values, states[1][leaf].values);
  }
}

std::string error_of(const Taken& taken, const decompose::ValueFunction& function) {
  decompose::FunctionLeaves leaves(function);
  try {
    run_above(taken, leaves, "cfr", 1);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FunctionLeaves, BadAnswersAreRefused) {
  const Taken taken("leduc", "round:1");
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_EQ(error_of(taken, [](std::span<LeafState>, Players) {}), "");
  EXPECT_THAT(error_of(taken,
                       [](std::span<LeafState> leaves, Players) {
                         leaves[2].values[1][3] = std::numeric_limits<double>::quiet_NaN();
                       }),
              AllOf(HasSubstr("leaf 3"), HasSubstr("player 2"), HasSubstr("state 4")));
  EXPECT_THAT(
      error_of(taken, [](std::span<LeafState> leaves, Players) { leaves[0].values[0].resize(5); }),
      AllOf(HasSubstr("5 values"), HasSubstr("has 6")));
  EXPECT_THAT(error_of(taken,
                       [](std::span<LeafState> leaves, Players) {
                         leaves[0].values[0][0] = std::numeric_limits<double>::infinity();
                       }),
              HasSubstr("finite"));
}

TEST(FunctionLeaves, SeeTheReachOfBoth) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 2);
  auto functions =
      std::make_unique<decompose::FunctionLeaves>([&](std::span<LeafState> leaves, Players) {
        for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
          taken.engine(leaf, below)->evaluate(leaves[leaf].reach, leaves[leaf].values);
        }
      });
  decompose::CheckingLeaves both(std::move(functions), payoff_leaves(below));
  run_above(taken, both, "cfr", 5);
  EXPECT_EQ(both.largest().size, 0);
}

TEST(ContinuationLeaves, OfOneStrategyAreItsPayoffs) {
  const Taken taken("leduc", "round:1");
  const tree::Strategy below = random_strategy(taken.problem.tree, 2);
  for (size_t hero = 0; hero < 2; ++hero) {
    // The same strategy under three names must not matter either.
    const std::vector<std::shared_ptr<const decompose::Profile>> same(3, profile_of(below));
    decompose::CheckingLeaves both(
        std::make_unique<decompose::ContinuationLeaves>(hero, profile_of(below), same),
        payoff_leaves(below));
    run_above(taken, both, "cfr", 10);
    EXPECT_LE(both.largest().size, 1e-12);
  }
}

// Brown, Sandholm and Amos 2018, section 3: rock-paper-scissors cut after player one's move.
std::vector<double> rock_paper_scissors(const std::vector<std::vector<double>>& continuations) {
  const Taken taken("rps", "depth:1");
  const tree::Tree& tree = taken.problem.tree;
  std::vector<std::shared_ptr<const decompose::Profile>> profiles;
  for (const auto& mix : continuations) {
    tree::Strategy strategy = tree::uniform_strategy(tree);
    std::ranges::copy(mix, strategy.begin() + tree.slot_begin[tree.infoset_begin[1]]);
    profiles.push_back(profile_of(strategy));
  }
  decompose::ContinuationLeaves leaves(0, profile_of(tree::uniform_strategy(tree)), profiles);
  TreeEngine trunk(taken.parts.trunk);
  decompose::CfrD(taken.parts.trunk, trunk, decompose::full_reach(trunk), leaves,
                  solve::make_schedule("cfr+"))
      .run(20'000);
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
  const tree::Tree& tree = taken.problem.tree;
  std::vector<tree::Strategy> strategies;
  std::vector<std::shared_ptr<const decompose::Profile>> continuations;
  for (uint64_t k = 0; k < 3; ++k) {
    strategies.push_back(random_strategy(tree, k + 1));
    continuations.push_back(profile_of(strategies[k]));
    // The hero, player two, goes on by the same blueprint in all of them.
    const uint32_t hers = tree.slot_begin[tree.infoset_begin[1]];
    std::copy(strategies[0].begin() + hers, strategies[0].end(), strategies[k].begin() + hers);
  }
  const auto make = [&] {
    return decompose::ContinuationLeaves(1, profile_of(strategies[0]), continuations);
  };
  decompose::ContinuationLeaves leaves = make();
  const decompose::Vectors reach = uneven_reach(taken, 0, 6);
  LeafState state = taken.leaf(0, reach);
  for (int i = 0; i < 5000; ++i) leaves.evaluate({&state, 1}, Players::kBoth);
  const decompose::Vectors values = state.values;
  std::vector<double> best(reach[0].size(), -1e9);
  decompose::Vectors one = taken.blank(0);
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
  // A new run begins where the first began.
  leaves.reset();
  leaves.evaluate({&state, 1}, Players::kBoth);
  LeafState first = taken.leaf(0, reach);
  make().evaluate({&first, 1}, Players::kBoth);
  EXPECT_EQ(state.values, first.values);
  EXPECT_NE(state.values, values);
}

TEST(ContinuationLeaves, NeedAtLeastOneStrategy) {
  const Taken taken("rps", "depth:1");
  const auto blueprint = profile_of(tree::uniform_strategy(taken.problem.tree));
  EXPECT_THROW(decompose::ContinuationLeaves(0, blueprint, {}), core::InputError);
}

TEST(FunctionLeaves, AreFoundByNameOnceAdded) {
  const auto add = [] {
    decompose::add_function({"constant",
                             "",
                             {{"value", "0", ""}},
                             [](core::Params& params) -> decompose::ValueFunction {
                               const double value = params.real("value", 0, -9, 9);
                               return [value](std::span<LeafState> all, Players) {
                                 for (LeafState& leaf : all) {
                                   for (auto& own : leaf.values) std::ranges::fill(own, value);
                                 }
                               };
                             }});
  };
  add();
  EXPECT_THROW(add(), core::InputError);
  const Taken taken("leduc", "round:1");
  std::vector<LeafState> states = {taken.leaf(0, uneven_reach(taken, 0, 1))};
  const auto make = [](const char* spec) {
    return decompose::make_leaves(core::parse_call(spec), {});
  };
  make("function(name=constant,value=3)")->evaluate(states, Players::kBoth);
  EXPECT_EQ(states[0].values[1], std::vector<double>(states[0].values[1].size(), 3.0));
  EXPECT_THROW(make("function(name=other)"), core::InputError);
  EXPECT_THROW(make("function(name=constant,worth=3)"), core::InputError);
}

// All private states are worth the same, and together what uniform play brings.
TEST(FunctionLeaves, OfPublicStatesShareTheirWorth) {
  const Taken taken("leduc", "round:1");
  const auto make = [](const char* spec) {
    return decompose::make_leaves(core::parse_call(spec), {});
  };
  for (size_t leaf = 0; leaf < taken.size(); ++leaf) {
    std::vector<LeafState> states = {taken.leaf(leaf, uneven_reach(taken, leaf, leaf))};
    std::vector<LeafState> payoffs = states;
    make("function")->evaluate(states, Players::kBoth);
    make("payoff")->evaluate(payoffs, Players::kBoth);
    EXPECT_NE(states[0].values, payoffs[0].values);
    EXPECT_NEAR(worth(states[0].reach, states[0].values), worth(states[0].reach, payoffs[0].values),
                1e-12);
    std::vector<double> rho(states[0].values[0].size());
    taken.engine(leaf)->counterfactual_reach(0, states[0].reach[1], rho);
    for (size_t s = 0; s < rho.size(); ++s) {
      EXPECT_NEAR(states[0].values[0][s] / rho[s], states[0].values[0][0] / rho[0], 1e-12);
    }
  }
}

TEST(LeavesByName, SayWhatIsMissing) {
  const auto error_of = [](const char* spec, bool has_blueprint) -> std::string {
    try {
      decompose::leaves_named(core::parse_call(spec), has_blueprint);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(error_of("checking(first=solved(iterations=3),second=payoff)", false), "");
  EXPECT_EQ(error_of("checking(first=blueprint,second=continuations(factor=2))", true), "");
  EXPECT_THAT(error_of("checking(first=blueprint,second=payoff)", false), HasSubstr("blueprint"));
  EXPECT_THAT(error_of("checking(first=solved(x=1))", false), HasSubstr("'x'"));
  EXPECT_THAT(error_of("none", false), HasSubstr("there are solved, warm, parked, bucket"));
  EXPECT_THAT(error_of("stored", false), HasSubstr("stored(file=...)"));
  EXPECT_THAT(error_of("stored(file=/nowhere.h5)", false), HasSubstr("/nowhere.h5"));
  EXPECT_THAT(error_of("bucket(classes=0)", false), HasSubstr("classes"));
}

TEST(CheckingLeaves, FindTheLargestDifference) {
  const Taken taken("leduc", "round:1");
  auto other = std::make_unique<decompose::FunctionLeaves>([](std::span<LeafState> all, Players) {
    for (LeafState& leaf : all) {
      for (auto& own : leaf.values) std::ranges::fill(own, 0.25);
    }
    all[3].values[1][2] = -2;
  });
  decompose::CheckingLeaves both(std::make_unique<decompose::ZeroLeaves>(), std::move(other));
  run_above(taken, both, "cfr", 2);
  const decompose::CheckingLeaves::Difference& d = both.largest();
  EXPECT_EQ(d.size, 2);
  EXPECT_EQ(d.leaf, 3U);
  EXPECT_EQ(d.player, 1U);
  EXPECT_EQ(d.state, 2U);
  EXPECT_EQ(d.first, 0);
  EXPECT_EQ(d.second, -2);
  EXPECT_THAT(both.report(), testing::HasSubstr("at most 2: 0 and -2 at leaf 4, player 2"));
  both.reset();
  EXPECT_EQ(both.largest().size, 0);
  auto wrong = std::make_unique<decompose::FunctionLeaves>(
      [](std::span<LeafState> all, Players) { all[0].values[0].clear(); });
  decompose::CheckingLeaves unequal(std::make_unique<decompose::ZeroLeaves>(), std::move(wrong));
  EXPECT_THROW(run_above(taken, unequal, "cfr", 1), core::InputError);
}

}  // namespace
}  // namespace cleave::histories
