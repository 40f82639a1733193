#include "decompose/cfr_d.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cut_game.h"
#include "decompose/leaves/plain_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "games/registry.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"
#include "reference.h"
#include "solve/sequence_lp.h"
#include "solve/solver.h"

namespace cleave::histories {
namespace {

struct Taken {
  Taken(const std::string& name, const char* cut)
      : game(games::make_game(name)),
        problem(solve::make_problem(*game)),
        parts(take_apart(problem, make_cut(*game, problem.tree, cut))) {}
  Taken(const std::string& name, Cut (*cut)(const tree::Tree&))
      : game(games::make_game(name)),
        problem(solve::make_problem(*game)),
        parts(take_apart(problem, cut(problem.tree))) {}

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  CutGame parts;
};

Cut cut_at_the_ends(const tree::Tree& tree) {
  std::vector<uint32_t> ends;
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] == tree::kTerminal) ends.push_back(h);
  }
  return cut_below(tree, ends, "ends");
}

decompose::SolvedLeavesOptions solving(const char* algorithm, int64_t iterations,
                                       bool warm = false) {
  return {.schedule = solve::make_schedule(algorithm), .iterations = iterations, .keep_warm = warm};
}

tree::Strategy trunk_strategy(const Taken& taken, TreeEngine& trunk) {
  tree::Strategy strategy = tree::uniform_strategy(taken.problem.tree);
  for (size_t p = 0; p < 2; ++p) trunk.copy_strategy(p, strategy);
  return strategy;
}

decompose::CfrD make_cfr_d(const Taken& taken, TreeEngine& trunk, decompose::LeafEvaluator& leaves,
                           solve::Schedule schedule,
                           solve::Updates updates = solve::Updates::kSimultaneous) {
  return decompose::CfrD(taken.parts.trunk, trunk, decompose::full_reach(trunk), leaves,
                         std::move(schedule), updates);
}

// With nothing but payoffs below the cut the trunk is the game, and CFR-D is CFR.
TEST(CfrD, WithTerminalLeavesIsCfrOnTheWholeGame) {
  const Taken taken("kuhn", cut_at_the_ends);
  const auto uniform = std::make_shared<TreeProfile>(tree::uniform_strategy(taken.problem.tree));
  for (const char* algorithm : {"cfr", "cfr+", "dcfr"}) {
    for (const bool at_once : {true, false}) {
      decompose::PayoffLeaves leaves(uniform);
      TreeEngine trunk(taken.parts.trunk);
      decompose::CfrD cfr_d =
          make_cfr_d(taken, trunk, leaves, solve::make_schedule(algorithm),
                     at_once ? solve::Updates::kSimultaneous : solve::Updates::kAlternating);
      const auto whole = solve::make_solver(
          fmt::format("{}(updates={})", algorithm, at_once ? "simultaneous" : "alternating"),
          taken.problem);
      // Not long: where regrets tie, rounding decides, and the two add up in different orders.
      for (int i = 0; i < 5; ++i) whole->iterate();
      cfr_d.run(5);
      const tree::Strategy expected = whole->strategy();
      const tree::Strategy actual = trunk_strategy(taken, trunk);
      for (size_t slot = 0; slot < expected.size(); ++slot) {
        EXPECT_NEAR(actual[slot], expected[slot], 1e-9) << algorithm << " " << slot << at_once;
      }
    }
  }
}

TEST(CfrD, ValueApproachesTheGames) {
  const std::vector<std::tuple<const char*, const char*, double>> cases = {
      {"kuhn", "depth:3", 1e-2},
      {"leduc(distinct=false)", "round:1", 6e-3},
      {"goofspiel(cards=3)", "depth:2", 2e-3},
      {"random(depth=5,branching=2,observations=2,seed=11,chance=0.3)", "depth:2", 3e-3}};
  for (const auto& [name, cut, tolerance] : cases) {
    const Taken taken(name, cut);
    decompose::SolvedLeaves leaves(solving("cfr+", 100));
    TreeEngine trunk(taken.parts.trunk);
    decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule("cfr+"));
    cfr_d.run(300);
    EXPECT_NEAR(cfr_d.value() + taken.problem.tree.shift, solve::solve_lp(taken.problem).value,
                tolerance)
        << name;
  }
}

// Follows a run step by step in the whole game. A second trunk without memory of its averages shows
// each iteration's own strategy; kept engines show the subgames'.
struct Shadow {
  Shadow(const Taken& t, const char* algorithm, int64_t subgame_iterations)
      : taken(t),
        leaves(watched(subgame_iterations)),
        trunk(taken.parts.trunk),
        cfr_d(make_cfr_d(taken, trunk, leaves,
                         [schedule = solve::make_schedule(algorithm)](int64_t i) {
                           solve::Iteration now = schedule(i);
                           now.average_decay = 0;
                           return now;
                         })) {}

  decompose::SolvedLeavesOptions watched(int64_t iterations) {
    decompose::SolvedLeavesOptions options = solving("cfr", iterations, true);
    options.make_engine = [this](const decompose::Piece& piece, int threads) {
      auto engine = std::make_unique<TreeEngine>(dynamic_cast<const TreePiece&>(piece), threads);
      engines.push_back(engine.get());
      return engine;
    };
    return options;
  }

  tree::Strategy step() {
    cfr_d.iterate();
    tree::Strategy strategy = trunk_strategy(taken, trunk);
    for (TreeEngine* engine : engines) {
      for (size_t p = 0; p < 2; ++p) engine->copy_strategy(p, strategy);
    }
    return strategy;
  }

  // The largest gain of a player at any state at a subgame's root: epsilon_S of theorem 2.
  double largest_gain(const tree::Strategy& strategy) const {
    double largest = 0;
    for (const decompose::Summary& s : summarise(taken.parts, strategy)) {
      for (size_t p = 0; p < 2; ++p) {
        for (size_t i = 0; i < s.value[p].size(); ++i) {
          largest = std::max(largest, s.best_response[p][i] - s.value[p][i]);
        }
      }
    }
    return largest;
  }

  const Taken& taken;
  std::vector<TreeEngine*> engines;
  decompose::SolvedLeaves leaves;
  TreeEngine trunk;
  decompose::CfrD cfr_d;
};

// Averages with the weights of the algorithm, from whole strategies.
TEST(CfrD, KeepsReachAndValuesConsistentWithTheAverageTrunk) {
  const Taken taken("leduc(distinct=false)", "round:1");
  for (const auto& [algorithm, exponent] : std::vector<std::pair<const char*, double>>{
           {"cfr", 0}, {"cfr+", 1}, {"cfr+(average=2)", 2}}) {
    Shadow shadow(taken, algorithm, 5);
    decompose::SolvedLeaves leaves(solving("cfr", 5, true));
    TreeEngine trunk(taken.parts.trunk);
    decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule(algorithm));
    std::vector<decompose::Summary> expected;
    double weights = 0;
    double value = 0;
    for (int t = 1; t <= 12; ++t) {
      cfr_d.iterate();
      const tree::Strategy strategy = shadow.step();
      const double weight = std::pow(t, exponent);
      weights += weight;
      value += weight * solve::certify(taken.problem, strategy).value;
      const std::vector<decompose::Summary> now = summarise(taken.parts, strategy);
      expected.resize(now.size());
      for (size_t s = 0; s < now.size(); ++s) {
        for (size_t p = 0; p < 2; ++p) {
          expected[s].reach[p].resize(now[s].reach[p].size());
          expected[s].value[p].resize(now[s].value[p].size());
          for (size_t i = 0; i < now[s].value[p].size(); ++i) {
            expected[s].reach[p][i] += weight * now[s].reach[p][i];
            expected[s].value[p][i] += weight * now[s].value[p][i];
          }
        }
      }
    }
    EXPECT_NEAR(cfr_d.value() + taken.problem.tree.shift, value / weights, 1e-12);
    const std::vector<decompose::Summary> kept = cfr_d.summaries();
    const tree::Strategy average = trunk_strategy(taken, trunk);
    ASSERT_EQ(kept.size(), expected.size());
    for (size_t s = 0; s < kept.size(); ++s) {
      const decompose::Vectors reach =
          border_reach(taken.problem.tree, taken.parts.subgames[s].root, average);
      for (size_t p = 0; p < 2; ++p) {
        for (size_t i = 0; i < kept[s].value[p].size(); ++i) {
          EXPECT_NEAR(kept[s].reach[p][i], expected[s].reach[p][i] / weights, 1e-12);
          EXPECT_NEAR(kept[s].reach[p][i], reach[p][i], 1e-12);
          EXPECT_NEAR(kept[s].value[p][i], expected[s].value[p][i] / weights, 1e-12);
        }
      }
      EXPECT_EQ(kept[s].best_response, kept[s].value);
    }
  }
}

size_t trunk_sets(const Taken& taken) {
  size_t count = 0;
  const tree::Tree& tree = taken.problem.tree;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    count += taken.parts.cut.subgame[tree.first_history[set]] == tree::kNone ? 1 : 0;
  }
  return count;
}

// Burch et al., theorem 2: player p's regret after T iterations is at most Delta * |trunk sets| *
// sqrt(A * T) + T * N_S * epsilon_S. The sum of both players' average regrets is the gap between
// the best responses to the average of the played strategies.
TEST(CfrD, RegretStaysBelowTheBoundOfTheorem2) {
  for (const auto& [name, cut] : std::vector<std::pair<const char*, const char*>>{
           {"kuhn", "depth:3"}, {"leduc(distinct=false)", "round:1"}}) {
    const Taken taken(name, cut);
    const tree::Tree& tree = taken.problem.tree;
    Shadow shadow(taken, "cfr", 60);
    constexpr int kIterations = 60;
    std::array<core::Reals, 2> sum;
    for (size_t p = 0; p < 2; ++p) sum[p].resize(taken.problem.form.player[p].num_sequences);
    double error = 0;
    for (int t = 0; t < kIterations; ++t) {
      const tree::Strategy strategy = shadow.step();
      error = std::max(error, shadow.largest_gain(strategy));
      solve::Workspace work(taken.problem);
      for (size_t p = 0; p < 2; ++p) {
        tree::plan_from_strategy(tree, taken.problem.form.player[p], strategy, work.plan[p]);
        for (size_t i = 0; i < sum[p].size(); ++i) sum[p][i] += work.plan[p][i];
      }
    }
    solve::Workspace work(taken.problem);
    for (size_t p = 0; p < 2; ++p) work.plan[p] = sum[p];
    const double gap = 2 * solve::certify(taken.problem, work).exploitability;
    uint32_t actions = 0;
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      actions = std::max(actions, tree.num_actions(set));
    }
    size_t root_states = 0;
    for (const TreePiece& piece : taken.parts.subgames) {
      root_states += piece.root.states[0].size() + piece.root.states[1].size();
    }
    const auto [low, high] = std::ranges::minmax(tree.payoff);
    const double bound = 2 * ((high - low) * static_cast<double>(trunk_sets(taken)) *
                                  std::sqrt(static_cast<double>(actions) / kIterations) +
                              static_cast<double>(root_states) * error);
    EXPECT_GT(gap, 0);
    EXPECT_LE(gap, bound);
    RecordProperty("gap_over_bound", std::to_string(gap / bound));
  }
}

TEST(CfrD, RunsOnFromWhereItIsAndStopsWhenAsked) {
  const Taken taken("kuhn", "depth:3");
  decompose::SolvedLeaves leaves(solving("cfr", 10));
  TreeEngine one(taken.parts.trunk);
  TreeEngine two(taken.parts.trunk);
  decompose::CfrD at_once = make_cfr_d(taken, one, leaves, solve::make_schedule("cfr+"));
  decompose::CfrD in_parts = make_cfr_d(taken, two, leaves, solve::make_schedule("cfr+"));
  EXPECT_TRUE(at_once.run(20));
  EXPECT_TRUE(in_parts.run(7));
  std::atomic<bool> stop = false;
  EXPECT_FALSE(in_parts.run(20, &stop, [&](int64_t i) { stop = i == 12; }));
  EXPECT_EQ(in_parts.iterations(), 12);
  EXPECT_TRUE(in_parts.run(20));
  EXPECT_EQ(trunk_strategy(taken, one), trunk_strategy(taken, two));
  EXPECT_EQ(at_once.value(), in_parts.value());
}

double recombined(const Taken& taken, TreeEngine& trunk, const decompose::CfrD& cfr_d,
                  const char* method = "resolve") {
  ResolveOptions options;
  options.iterations = 1000;
  const tree::Strategy whole =
      resolve_all(taken.parts, cfr_d.summaries(), decompose::make_method(method), options,
                  trunk_strategy(taken, trunk));
  return solve::certify(taken.problem, whole).exploitability;
}

TEST(CfrD, ReSolvedExploitabilityFallsWithTrunkAndSubgameIterations) {
  const Taken taken("leduc(distinct=false)", "round:1");
  std::vector<std::vector<double>> e;  // [subgame iterations][trunk iterations]
  for (const int64_t subgame : {2, 10, 100}) {
    decompose::SolvedLeaves leaves(solving("cfr+", subgame));
    TreeEngine trunk(taken.parts.trunk);
    decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule("cfr+"));
    auto& line = e.emplace_back();
    for (const int64_t iterations : {5, 25, 250}) {
      cfr_d.run(iterations);
      line.push_back(recombined(taken, trunk, cfr_d));
    }
  }
  for (size_t i = 1; i < 3; ++i) {
    EXPECT_LT(e[2][i], e[2][i - 1]) << "more trunk iterations " << i;
    EXPECT_LT(e[i][2], e[i - 1][2]) << "more subgame iterations " << i;
  }
  EXPECT_LT(e[2][2], 0.02);
}

TEST(CfrD, KeptWarmNeedsOneSubgameIterationPerStep) {
  const Taken taken("leduc(distinct=false)", "round:1");
  decompose::SolvedLeaves leaves(solving("cfr+", 1, true));
  TreeEngine trunk(taken.parts.trunk);
  decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule("cfr+"));
  cfr_d.run(2000);
  EXPECT_LT(recombined(taken, trunk, cfr_d), 0.01);
}

// "CFR-D on a Leduc-like game ten times larger than its largest piece peaks below a quarter of the
// whole-game solver's memory for regrets and strategies."
TEST(CfrD, PeaksBelowAQuarterOfTheWholeGamesMemory) {
  const Taken taken("leduc(distinct=false,bets=2:4/4,max_raises=2)", "round:1");
  size_t largest = 0;
  size_t all = 0;
  for (const TreePiece& piece : taken.parts.subgames) {
    const size_t bytes = TreeEngine(piece).learning_bytes();
    largest = std::max(largest, bytes);
    all += bytes;
  }
  const size_t whole = TreeEngine(make_piece(taken.problem.tree, {0})).learning_bytes();
  ASSERT_GE(whole, 10 * largest);
  EXPECT_NEAR(static_cast<double>(histories::whole_game_learning_bytes(taken.problem)),
              static_cast<double>(whole), 0.01 * static_cast<double>(whole));
  decompose::SolvedLeaves leaves(solving("cfr+", 20));
  TreeEngine trunk(taken.parts.trunk);
  decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule("cfr+"));
  cfr_d.run(20);
  EXPECT_LT(cfr_d.peak_learning_bytes(), histories::whole_game_learning_bytes(taken.problem) / 4);
  EXPECT_GT(cfr_d.peak_learning_bytes(), largest + trunk.learning_bytes());
  EXPECT_LT(recombined(taken, trunk, cfr_d), 1.0);  // an answer, not only a small footprint
  // Kept warm it holds all of it.
  decompose::SolvedLeaves warm(solving("cfr+", 1, true));
  decompose::CfrD kept = make_cfr_d(taken, trunk, warm, solve::make_schedule("cfr+"));
  kept.run(1);
  EXPECT_GE(kept.peak_learning_bytes(), all);
}

TEST(FullCfrD, ComesCloseToTheEquilibriumOfLeduc) {
  const Taken taken("leduc", "round:1");
  const auto run = [&](const char* algorithm, const decompose::SolvedLeavesOptions& options,
                       double value, double exploitability) {
    decompose::SolvedLeaves leaves(options);
    TreeEngine trunk(taken.parts.trunk);
    decompose::CfrD cfr_d = make_cfr_d(taken, trunk, leaves, solve::make_schedule(algorithm));
    cfr_d.run(2000);
    EXPECT_NEAR(cfr_d.value(), -0.085606424, value) << algorithm;
    EXPECT_LT(recombined(taken, trunk, cfr_d), exploitability) << algorithm;
  };
  run("cfr+", solving("cfr+", 200), 2e-3, 6e-3);
  run("pcfr+", solving("cfr+", 5, true), 5e-4, 1e-3);
}

}  // namespace
}  // namespace cleave::histories
