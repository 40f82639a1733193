#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "histories/recovery.h"
#include "histories/recovery_games.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/sequence_lp.h"

namespace cleave::histories {
namespace {

using tree::kNone;

const char* const kCases[][2] = {{"leduc", "round:1"},
                                 {"kuhn", "depth:3"},
                                 {"goofspiel(cards=3,reveal=true)", "depth:2"},
                                 {"coin_toss", "depth:2"},
                                 {"liars_dice(faces=3)", "depth:4"}};

// Jackson's lemma 1: against the hero's strategy with any play in T, the opponent can do in the
// recovery game exactly what it can in the whole game.
TEST(Graft, OpponentHasTheWholeGame) {
  for (const auto& [name, spec] : kCases) {
    const Cutting c(name, spec);
    const Strategy trunk = random_strategy(c.problem.tree, 3);
    const auto whole = solve::certify(c.problem, trunk);
    std::vector<uint32_t> subgames = each_subgame(c.cut);
    subgames.push_back(kAllSubgames);
    for (const uint32_t subgame : subgames) {
      for (size_t hero = 0; hero < 2; ++hero) {
        SCOPED_TRACE(testing::Message() << name << " subgame " << subgame << " hero " << hero);
        const RecoveryGame game = make_graft_game(c.problem.tree, c.cut, subgame, hero, trunk);
        const auto inside = histories_inside(c.cut, subgame);
        const size_t opponent = 1 - hero;
        EXPECT_EQ(
            game.problem.tree.infoset_begin[opponent + 1] -
                game.problem.tree.infoset_begin[opponent],
            c.problem.tree.infoset_begin[opponent + 1] - c.problem.tree.infoset_begin[opponent]);
        for (uint32_t h = 0; h < c.problem.tree.num_histories(); ++h) {
          if (c.problem.tree.actor[h] != hero) continue;
          EXPECT_EQ(game.problem.tree.actor[h], inside[h] ? hero : tree::kChance);
        }
        const auto there = solve::certify(game.problem, restricted(game, trunk));
        EXPECT_NEAR(there.best_response[opponent], whole.best_response[opponent], 1e-12);
      }
    }
  }
}

// Theorem 1: from an equilibrium, both recovery games have the value of the game; corollary 1: what
// they recover is an equilibrium.
TEST(Graft, RecoversAnEquilibrium) {
  for (const auto& [name, spec] : kCases) {
    SCOPED_TRACE(name);
    const Cutting c(name, spec);
    const auto lp = solve::solve_lp(c.problem);
    for (size_t hero = 0; hero < 2; ++hero) {
      const RecoveryGame game = make_graft_game(c.problem.tree, c.cut, 0, hero, lp.strategy);
      EXPECT_NEAR(solve::solve_lp(game.problem).value, lp.value, 1e-9);
    }
    const RecoveryOptions exact{.algorithm = "lp"};
    EXPECT_LE(c.exploitability(graft(c.problem, c.cut, {0}, lp.strategy, exact)), 1e-9);
    EXPECT_LE(c.exploitability(graft(c.problem, c.cut, {kAllSubgames}, lp.strategy, exact)), 1e-9);
  }
}

TEST(Graft, AnySolverServes) {
  const Cutting c("kuhn", "depth:3");
  const Strategy trunk = solve::solve_lp(c.problem).strategy;
  struct Case {
    const char* algorithm;
    int64_t iterations;
    double accuracy;
  };
  for (const Case& one : {Case{"cfr", 20000, 2e-3}, Case{"cfr+", 2000, 1e-3},
                          Case{"pcfr+", 2000, 1e-3}, Case{"pure-cfr", 200000, 2e-2},
                          Case{"external-sampling", 100000, 2e-2}, Case{"lp", 1, 1e-9}}) {
    const RecoveryOptions options{.algorithm = one.algorithm, .iterations = one.iterations};
    EXPECT_LE(c.exploitability(graft(c.problem, c.cut, {kAllSubgames}, trunk, options)),
              one.accuracy)
        << one.algorithm;
  }
}

TEST(Graft, TouchesOnlyTheHeroInsideAndWhereItsTrunkComes) {
  const Cutting c("leduc", "round:1");
  const Strategy trunk =
      random_strategy(c.problem.tree, 8);  // a quarter of the actions never taken
  const tree::Tree& tree = c.problem.tree;
  for (size_t hero = 0; hero < 2; ++hero) {
    const auto own = reference::reach(tree, trunk, static_cast<tree::Actor>(hero));
    for (const uint32_t subgame : each_subgame(c.cut)) {
      const RecoveryGame game = make_graft_game(tree, c.cut, subgame, hero, trunk);
      Strategy result = trunk;
      copy_recovered(game, hero, find_equilibrium(game.problem, {.iterations = 50}), result);
      size_t changed = 0, unreached = 0;
      for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
        const uint32_t h = tree.first_history[set];
        const uint32_t root = [&] {  // hero's reach at the root of the subgame above
          uint32_t at = h;
          while (tree.parent[at] != kNone && c.cut.subgame[tree.parent[at]] == subgame) {
            at = tree.parent[at];
          }
          return at;
        }();
        const bool mine = tree.player(set) == hero && c.cut.subgame[h] == subgame;
        const bool free = mine && own[root] > 0;
        unreached += mine && !free ? 1 : 0;
        for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
          if (!free) {
            EXPECT_EQ(result[s], trunk[s]);
          }
          changed += result[s] != trunk[s] ? 1 : 0;
        }
      }
      EXPECT_TRUE(changed > 0 || unreached > 0);
    }
  }
}

TEST(Graft, SameSeedSameBitsForAnyNumberOfThreads) {
  const Cutting c("leduc", "round:1");
  const Strategy trunk = tree::uniform_strategy(c.problem.tree);
  for (const char* algorithm : {"pcfr+", "pure-cfr"}) {
    RecoveryOptions options{.algorithm = algorithm, .iterations = 200};
    const Strategy one = graft(c.problem, c.cut, each_subgame(c.cut), trunk, options);
    options.threads = 2;
    EXPECT_EQ(graft(c.problem, c.cut, each_subgame(c.cut), trunk, options), one);
  }
  RecoveryOptions options{.algorithm = "pure-cfr", .iterations = 200};
  const Strategy one = graft(c.problem, c.cut, {0}, trunk, options);
  options.seed = 2;
  EXPECT_NE(graft(c.problem, c.cut, {0}, trunk, options), one);
}

TEST(Graft, StopsAndRefusesUnknownSolvers) {
  const Cutting c("kuhn", "depth:3");
  const Strategy trunk = tree::uniform_strategy(c.problem.tree);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(graft(c.problem, c.cut, {0}, trunk, {.stop = &stop}), core::RunError);
  EXPECT_THROW(graft(c.problem, c.cut, {0}, trunk, {.algorithm = "magic"}), core::InputError);
}

// The distribution over a subgame's roots is the trunk's, so a profile is worth there what it is
// worth in the game given that the subgame is reached.
TEST(StandardApproach, TheSubgamesMakeUpTheGame) {
  for (const auto& [name, spec] : kCases) {
    SCOPED_TRACE(name);
    const Cutting c(name, spec);
    const tree::Tree& tree = c.problem.tree;
    const Strategy trunk = tree::uniform_strategy(tree);
    std::vector<double> reach(tree.num_histories(), 1.0);
    for (const tree::Actor player : {tree::Actor{0}, tree::Actor{1}, tree::kChance}) {
      const auto own = reference::reach(tree, trunk, player);
      for (size_t h = 0; h < reach.size(); ++h) reach[h] *= own[h];
    }
    double value = 0;
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] == tree::kTerminal && c.cut.subgame[h] == kNone) {
        value += reach[h] * tree.payoff[tree.infoset[h]];
      }
    }
    for (const uint32_t subgame : each_subgame(c.cut)) {
      const RecoveryGame game = make_standard_game(tree, c.cut, subgame, trunk);
      double total = 0;
      for (const uint32_t h : c.cut.roots[subgame]) total += reach[h];
      value += total * solve::certify(game.problem, restricted(game, trunk)).value;
    }
    EXPECT_NEAR(value + tree.shift, solve::certify(c.problem, trunk).value, 1e-12);
  }
}

// Ganzfried and Sandholm's example: against a uniform first player every answer is as good, and
// the standard approach takes any. Grafting lets the first player answer back.
TEST(StandardApproach, LosesRockPaperScissorsAndGraftingDoesNot) {
  const Cutting c("rps", "depth:1");
  const Strategy trunk = tree::uniform_strategy(c.problem.tree);
  ASSERT_NEAR(c.exploitability(trunk), 0, 1e-15);
  const RecoveryOptions exact{.algorithm = "lp"};
  const Strategy standard = recover_by_standard(c.problem, c.cut, trunk, exact);
  EXPECT_NEAR(c.exploitability(standard), 0.5, 1e-9);  // player two's loss of 1, over two seats
  EXPECT_LE(c.exploitability(graft(c.problem, c.cut, {0}, trunk, exact)), 1e-9);
}

TEST(StandardApproach, RefusesSubgamesThatTheTrunkNeverReaches) {
  const Cutting c("coin_toss", "depth:2");
  Strategy trunk = tree::uniform_strategy(c.problem.tree);
  for (uint32_t set = c.problem.tree.infoset_begin[0]; set < c.problem.tree.infoset_begin[1];
       ++set) {
    trunk[c.problem.tree.slot_begin[set]] = 1;  // always sell
    trunk[c.problem.tree.slot_begin[set] + 1] = 0;
  }
  try {
    recover_by_standard(c.problem, c.cut, trunk, {});
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("depth:2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cleave::histories
