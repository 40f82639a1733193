#include "search/continual.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <set>

#include "decompose/leaves/function_leaves.h"
#include "histories/summary.h"
#include "histories/tree_engine.h"
#include "random_games.h"
#include "random_strategy.h"
#include "search/table.h"
#include "search/untimed_games.h"

namespace cleave::search {
namespace {

using tree::kNone;

// Games of all kinds: with and without public structure, with and without a common clock.
std::deque<GameTable> make_tables(int random, int untimed) {
  std::deque<GameTable> tables;
  for (const char* name : {"kuhn", "leduc(ranks=2)", "liars_dice(faces=2)", "goofspiel(cards=3)",
                           "coin_toss", "rps", "nim"}) {
    tables.emplace_back(name);
  }
  for (int i = 0; i < random; ++i) tables.emplace_back(random_game_name(i));
  for (int i = 0; i < untimed; ++i) {
    tables.emplace_back(UntimedGame(static_cast<uint64_t>(i)).make());
  }
  return tables;
}

void check_places(const tree::Tree& tree, const Places& places, size_t player) {
  for (uint32_t stage = 0; stage < places.place_at.size(); ++stage) {
    std::vector<uint32_t> of_set(tree.num_infosets(), kNone - 1);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      const uint32_t place = places.place_at[stage][h];
      if (h > 0 && places.place_at[stage][tree.parent[h]] != kNone) {
        ASSERT_EQ(place, places.place_at[stage][tree.parent[h]]) << "closed under descendants";
      }
      if (stage > 0 && place != kNone) {
        ASSERT_EQ(places.place_at[stage - 1][h], places.all[place].parent) << "nested";
      }
      if (tree.actor[h] >= 2) continue;
      uint32_t& other = of_set[tree.infoset[h]];
      if (other == kNone - 1) other = place;
      ASSERT_EQ(other, place) << "closed under information sets";
    }
  }
  std::array<std::set<histories::PrivateState>, 2> seen;
  for (uint32_t place = 1; place < places.all.size(); ++place) {
    if (places.stage_of[place] != places.stage_of[place - 1]) seen = {};
    const auto border = histories::make_border(tree, places.all[place].roots);
    for (size_t p = 0; p < 2; ++p) {
      for (const auto& state : border.states[p]) {
        ASSERT_TRUE(seen[p].insert(state).second) << "private states lead to one place";
      }
    }
    for (const auto& leaf : places.all[place].leaves) {
      for (const uint32_t h : leaf) {
        ASSERT_EQ(places.place_at[places.stage_of[place]][h], place);
        ASSERT_NE(places.child_at(place, h), kNone) << "leaves are not before the next place";
      }
    }
  }
  for (uint32_t i = 0; i < places.place_of_set.size(); ++i) {
    const uint32_t h = tree.first_history[tree.infoset_begin[player] + i];
    const uint32_t place = places.place_of_set[i];
    ASSERT_EQ(places.place_at[places.stage_of[place]][h], place);
    ASSERT_EQ(places.child_at(place, h), kNone) << "the smallest place";
  }
}

TEST(Places, AreClosedAndNested) {
  for (const GameTable& table : make_tables(20, 40)) {
    for (size_t player = 0; player < 2; ++player) {
      for (const int depth : {0, 1, 3}) {
        SCOPED_TRACE(table.problem.tree.name);
        check_places(table.problem.tree, find_places(table.problem.tree, player, depth), player);
      }
    }
  }
}

TEST(Places, OfKuhn) {
  const GameTable kuhn("kuhn");
  // Player one: the deal, and after pass-bet. Player two: the root, after pass, after bet.
  const Places one = find_places(kuhn.problem.tree, 0, 0);
  EXPECT_EQ(one.all.size(), 2U);
  EXPECT_EQ(one.all[1].roots.size(), 6U);
  const Places two = find_places(kuhn.problem.tree, 1, 0);
  EXPECT_EQ(two.all.size(), 3U);
  EXPECT_EQ(two.all[0].children, (std::vector<uint32_t>{1, 2}));
}

// The other route: an engine on each next place, given the same strategies.
void check_carried(const GameTable& table, size_t hero, int depth, uint64_t seed) {
  const tree::Tree& tree = table.problem.tree;
  const size_t opp = 1 - hero;
  const tree::Strategy strategy = random_strategy(tree, seed);
  const std::vector<double> chance = histories::chance_reach(tree);
  const Places places = find_places(tree, hero, depth);
  const auto engine_values = [&](const std::vector<uint32_t>& roots) {
    const histories::TreePiece piece = histories::make_piece(tree, roots);
    histories::TreeEngine engine(piece);
    engine.set_strategy(strategy);
    return decompose::summarise(engine, histories::border_reach(tree, piece.root, strategy));
  };
  for (uint32_t place = 0; place < places.all.size(); ++place) {
    std::vector<histories::Border> leaves;
    std::vector<decompose::Vectors> leaf_values;
    for (const auto& leaf : places.all[place].leaves) {
      leaves.push_back(histories::make_border(tree, leaf));
      leaf_values.push_back(engine_values(leaf).best_response);
    }
    const Carried carried =
        carry({tree, chance, places, place, opp, strategy, leaves, leaf_values});
    const auto& children = places.all[place].children;
    ASSERT_EQ(carried.best_response.size(), children.size());
    for (size_t i = 0; i < children.size(); ++i) {
      const auto expected = engine_values(places.all[children[i]].roots);
      for (size_t s = 0; s < expected.value[opp].size(); ++s) {
        ASSERT_NEAR(carried.best_response[i][s], expected.best_response[opp][s], 1e-12);
        if (depth == 0) {
          ASSERT_NEAR(carried.estimate[i][s], expected.value[opp][s], 1e-12);
        }
        ASSERT_GE(carried.before_moves[i][s], carried.best_response[i][s] - 1e-12);
      }
    }
  }
}

TEST(Carried, ValuesAreThoseOfAnEngineOnTheNextPlace) {
  for (const GameTable& table : make_tables(10, 20)) {
    for (size_t hero = 0; hero < 2; ++hero) {
      for (const int depth : {0, 1, 2}) {
        SCOPED_TRACE(table.problem.tree.name);
        check_carried(table, hero, depth, 17);
      }
    }
  }
}

// Kuhn, player one thinking: player two bets after a pass. Before its move it had the better of
// betting and passing; DeepStack keeps that value.
TEST(Carried, BeforeMovesIsTheValueOfTheSetBefore) {
  const GameTable kuhn("kuhn");
  const tree::Tree& tree = kuhn.problem.tree;
  const tree::Strategy strategy = random_strategy(tree, 4);
  const std::vector<double> chance = histories::chance_reach(tree);
  const Places places = find_places(tree, 0, 0);
  const Carried carried = carry({tree, chance, places, 0, 1, strategy, {}, {}});
  const auto values = solve::counterfactual_best_response(kuhn.problem, 1, strategy);
  const auto border = histories::make_border(tree, places.all[1].roots);
  for (size_t s = 0; s < border.states[1].size(); ++s) {
    const uint32_t slot = border.states[1][s].id;
    uint32_t set = tree.infoset_begin[1];
    while (tree.slot_begin[set + 1] <= slot) ++set;
    EXPECT_NEAR(carried.before_moves[0][s], values[set - tree.infoset_begin[1]], 1e-12);
  }
}

TEST(Continual, DoesNotDependOnTheOrderOfQuestions) {
  const GameTable leduc("leduc(ranks=2)");
  for (const std::string spec :
       {"continual(iterations=20)", "continual(iterations=5,depth=1,leaf_iterations=3)"}) {
    EXPECT_EQ(leduc.strategy(spec), leduc.ask_backwards(*leduc.agent(spec)));
  }
}

// Exploitability of the whole strategy that all solves together make. The bounds are about twice
// what was measured.
struct Course {
  const char* game;
  double after_100, after_1000;
};
void PrintTo(const Course& course, std::ostream* out) { *out << course.game; }

class ContinualCourse : public testing::TestWithParam<Course> {};

TEST_P(ContinualCourse, ExploitabilityFallsWithIterations) {
  const GameTable table(GetParam().game);
  const double early = table.exploitability("continual(iterations=100)");
  const double late = table.exploitability("continual(iterations=1000)");
  EXPECT_LT(early, GetParam().after_100);
  EXPECT_LT(late, GetParam().after_1000);
  EXPECT_LT(late, early / 5);
}

INSTANTIATE_TEST_SUITE_P(Games, ContinualCourse,
                         testing::Values(Course{"kuhn", 6e-5, 6e-8}, Course{"leduc", 4e-2, 2e-3},
                                         Course{"liars_dice(faces=3)", 1e-4, 1e-7},
                                         Course{"liars_dice(faces=4)", 3e-3, 3e-6},
                                         Course{"goofspiel(cards=3)", 6e-6, 6e-9},
                                         Course{"goofspiel", 1e-3, 3e-5},
                                         Course{"coin_toss", 4e-5, 4e-8},
                                         Course{"nim", 1e-5, 1e-8}));

TEST(Continual, OtherGadgetsAndCarriesAreSafeToo) {
  const GameTable leduc("leduc");
  EXPECT_LT(leduc.exploitability("continual(iterations=500,carry=after)"), 5e-3);
  EXPECT_LT(leduc.exploitability("continual(iterations=500,method=maxmargin)"), 5e-3);
  EXPECT_LT(leduc.exploitability("continual(iterations=500,algorithm=cfr+)"), 5e-3);
}

// The counterexamples: trusting the opponent to have played as the last solve thought.
TEST(Continual, UnsafeIsExploitable) {
  for (const char* name : {"kuhn", "leduc", "coin_toss", "goofspiel"}) {
    const GameTable table(name);
    const double safe = table.exploitability("continual(iterations=500)");
    const double trusting = table.exploitability("continual(iterations=500,method=unsafe)");
    EXPECT_GT(trusting, 10 * safe) << name;
    EXPECT_GT(trusting, 0.05) << name;
  }
}

void check_random_games(int random, int untimed, const std::string& spec, double bound) {
  double worst = 0;
  for (const GameTable& table : make_tables(random, untimed)) {
    const double found = table.exploitability(spec);
    EXPECT_LT(found, bound) << table.game->name();
    worst = std::max(worst, found);
  }
  testing::Test::RecordProperty("worst", std::to_string(worst));
}

TEST(Continual, SafeOnRandomGamesWithAndWithoutAClock) {
  check_random_games(30, 30, "continual(iterations=300)", 0.005);
}

TEST(FullContinual, SafeOnRandomGamesWithAndWithoutAClock) {
  check_random_games(300, 300, "continual(iterations=3000)", 0.002);
  check_random_games(300, 300, "continual(iterations=3000,carry=after)", 0.002);
}

TEST(DepthLimited, SolvedLeavesComeCloseAndZeroLeavesDoNot) {
  const GameTable leduc("leduc");
  const double coarse = leduc.exploitability("continual(depth=1,iterations=30)");
  const double fine = leduc.exploitability("continual(depth=1,iterations=200)");
  EXPECT_LT(fine, coarse / 3);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(leduc.exploitability("continual(depth=1,leaves=zero,iterations=100)"), 0.5);
  const GameTable goofspiel("goofspiel(cards=3)");
  EXPECT_LT(goofspiel.exploitability("continual(depth=2,iterations=300)"), 1e-6);
}

// Solved afresh each time, values jump with the reach, and averages come as in CFR-D: 1/sqrt(T).
TEST(DepthLimited, LeavesSolvedAfreshConverge) {
  const GameTable kuhn("kuhn");
  const std::string spec = "continual(depth=1,leaves=solved,leaf_iterations=100,iterations=";
  const double early = kuhn.exploitability(spec + "30)");
  const double late = kuhn.exploitability(spec + "1000)");
  EXPECT_LT(late, early / 3);
  EXPECT_LT(late, 2e-3);
}

TEST(DepthLimited, EveryDepthPlaysWell) {
  const GameTable kuhn("kuhn");
  for (const int depth : {1, 2, 3, 10}) {
    EXPECT_LT(kuhn.exploitability(fmt::format("continual(depth={},iterations=300)", depth)), 2e-4)
        << depth;
  }
}

TEST(DepthLimited, TakesAnyEvaluatorAndChecksIt) {
  const GameTable kuhn("kuhn");
  size_t asked = 0;
  const auto with = [&](double answer) {
    ContinualOptions options;
    options.depth = 1;
    options.iterations = 10;
    options.method = decompose::make_method("resolve");
    options.leaves = [&asked, answer](const decompose::LeafSetting&) {
      return std::make_unique<decompose::FunctionLeaves>(
          [&asked, answer](std::span<decompose::LeafState> leaves, decompose::Players) {
            for (decompose::LeafState& leaf : leaves) {
              ++asked;
              for (auto& own : leaf.values) std::ranges::fill(own, answer);
            }
          });
    };
    ContinualAgent agent(kuhn.setting, kuhn.any, options);
    agent.complete();
    return agent.num_solves();
  };
  EXPECT_EQ(with(0), 5);
  EXPECT_GT(asked, 10U);
  EXPECT_THROW(with(std::nan("")), core::InputError);
  ContinualOptions none;
  none.depth = 1;
  none.method = decompose::make_method("resolve");
  EXPECT_THROW(ContinualAgent(kuhn.setting, kuhn.any, none), core::InputError);
}

// With the equilibrium's own values below the leaves a solve above them is not led astray at the
// root, though a fixed continuation can be exploited in thought: worse than solving, better than 0.
TEST(DepthLimited, BlueprintLeavesLieBetween) {
  const GameTable leduc("leduc");
  const double blueprint = leduc.exploitability(
      "continual(depth=1,iterations=200,leaves=blueprint,blueprint=solve(iterations=300))");
  EXPECT_LT(blueprint, leduc.exploitability("continual(depth=1,iterations=200,leaves=zero)"));
  // Any leaves by name, with parameters of their own.
  for (const char* leaves : {"bucket(classes=9)", "payoff", "function(name=public)",
                             "checking(first=warm(iterations=2),second=zero)"}) {
    const double found =
        leduc.exploitability(fmt::format("continual(depth=1,iterations=20,leaves={})", leaves));
    EXPECT_LT(found, leduc.exploitability("uniform")) << leaves;
  }
  EXPECT_GT(blueprint, leduc.exploitability("continual(iterations=200)"));
}

}  // namespace
}  // namespace cleave::search
