#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

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
                                 {"kuhn(cards=4)", "depth:4"},
                                 {"goofspiel(cards=3,reveal=true)", "depth:2"},
                                 {"liars_dice(faces=3)", "depth:4"},
                                 {"random(depth=5,branching=3,observations=3,seed=2)", "depth:3"}};

TEST(PathRecovery, LeducKeepsTheSubgameThePathAndItsLeaves) {
  const Cutting c("leduc", "round:1");
  const tree::Tree& tree = c.problem.tree;
  const Strategy trunk = random_strategy(tree, 4);
  const auto values = reference::values(tree, trunk);
  for (const uint32_t subgame : each_subgame(c.cut)) {
    for (size_t hero = 0; hero < 2; ++hero) {
      const auto kept = path_to(tree, c.cut, subgame, hero);
      EXPECT_EQ(kept, path_to(tree, c.cut, subgame, hero, Path::kLiteral));  // betting is public
      std::set<uint32_t> ancestors;
      for (const uint32_t root : c.cut.roots[subgame]) {
        for (uint32_t h = tree.parent[root]; h != kNone; h = tree.parent[h]) ancestors.insert(h);
      }
      size_t expected = 0;
      for (uint32_t h = 0; h < tree.num_histories(); ++h) {
        EXPECT_EQ(kept[h], ancestors.count(h) == 1);
        expected += kept[h] || c.cut.subgame[h] == subgame || kept[tree.parent[h]] ? 1 : 0;
      }
      // The leaves are worth v_sigma(h): in the recipe's own order, so found again by payoffs.
      const RecoveryGame game = make_path_recovery_game(c.problem, c.cut, subgame, hero, trunk);
      EXPECT_EQ(game.problem.tree.num_histories(), expected);
      std::multiset<double> there(game.problem.tree.payoff.begin(), game.problem.tree.payoff.end());
      for (uint32_t h = 1; h < tree.num_histories(); ++h) {
        if (!kept[tree.parent[h]] || kept[h] || c.cut.subgame[h] == subgame) continue;
        auto near = there.lower_bound(values[h] - 1e-12);
        ASSERT_TRUE(near != there.end() && *near <= values[h] + 1e-12);
        there.erase(near);
      }
    }
  }
}

// An information set of the opponent is kept whole or not at all.
TEST(PathRecovery, ThePathIsClosed) {
  size_t larger = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    const std::string name =
        fmt::format("random(depth=5,branching=3,observations=2,seed={},chance=0.3)", seed);
    const solve::Problem problem = solve::make_problem(*games::make_game(name));
    const tree::Tree& tree = problem.tree;
    core::Random random(static_cast<uint64_t>(seed));
    uint32_t h = 0;
    while (tree.actor[h] == tree::kTerminal || h == 0) {
      h = static_cast<uint32_t>(random.below(tree.num_histories()));
    }
    const Cut cut = cut_below(tree, {h}, "one");
    for (size_t hero = 0; hero < 2; ++hero) {
      const auto kept = path_to(tree, cut, 0, hero);
      const auto literal = path_to(tree, cut, 0, hero, Path::kLiteral);
      std::vector<int> state(tree.num_infosets(), -1);
      for (uint32_t at = 0; at < tree.num_histories(); ++at) {
        if (literal[at]) {
          EXPECT_TRUE(kept[at]);
        }
        EXPECT_FALSE(kept[at] && cut.subgame[at] != kNone);
        if (kept[at] && at > 0) {
          EXPECT_TRUE(kept[tree.parent[at]]);
        }
        if (tree.actor[at] != 1 - hero) continue;
        int& first = state[tree.infoset[at]];
        if (first < 0) first = kept[at] ? 1 : 0;
        EXPECT_EQ(first, kept[at] ? 1 : 0) << name;
      }
      larger += kept != literal ? 1 : 0;
    }
  }
  EXPECT_GT(larger, 0U);  // or nothing was tested
}

// Jackson's lemma 2: the trunk profile is worth the same in the recovery game.
TEST(PathRecovery, ProfilesKeepTheirValue) {
  for (const auto& [name, spec] : kCases) {
    SCOPED_TRACE(name);
    const Cutting c(name, spec);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const Strategy trunk = random_strategy(c.problem.tree, seed);
      const double value = solve::certify(c.problem, trunk).value;
      for (const uint32_t subgame : each_subgame(c.cut)) {
        for (size_t hero = 0; hero < 2; ++hero) {
          const RecoveryGame game = make_path_recovery_game(c.problem, c.cut, subgame, hero, trunk);
          EXPECT_NEAR(solve::certify(game.problem, restricted(game, trunk)).value, value, 1e-12);
        }
      }
    }
  }
}

// With best-response leaves the opponent can get in the recovery game, against any play of the hero
// in T, what it can get in the whole game: path recovery is grafting in a smaller game.
TEST(PathRecovery, BestResponseLeavesAreTheWholeGameToTheOpponent) {
  for (const auto& [name, spec] : kCases) {
    SCOPED_TRACE(name);
    const Cutting c(name, spec);
    const Strategy trunk = random_strategy(c.problem.tree, 17);
    for (const uint32_t subgame : each_subgame(c.cut)) {
      for (size_t hero = 0; hero < 2; ++hero) {
        const RecoveryGame game = make_path_recovery_game(c.problem, c.cut, subgame, hero, trunk,
                                                          {.off_path = OffPath::kBestResponse});
        EXPECT_LT(game.problem.tree.num_histories(), c.problem.tree.num_histories());
        const size_t opponent = 1 - hero;
        for (uint64_t seed = 1; seed <= 3; ++seed) {
          const Strategy inside = random_strategy(game.problem.tree, seed);
          Strategy whole = trunk;
          copy_recovered(game, hero, inside, whole);
          EXPECT_NEAR(solve::certify(game.problem, inside).best_response[opponent],
                      solve::certify(c.problem, whole).best_response[opponent], 1e-12);
        }
      }
    }
  }
}

TEST(PathRecovery, RecoversAnEquilibrium) {
  for (const auto& [name, spec] : kCases) {
    SCOPED_TRACE(name);
    const Cutting c(name, spec);
    const auto lp = solve::solve_lp(c.problem);
    const PathRecoveryOptions exact{.solving = {.algorithm = "lp"}};
    for (const uint32_t subgame : each_subgame(c.cut)) {
      const RecoveryGame game =
          make_path_recovery_game(c.problem, c.cut, subgame, 0, lp.strategy, exact);
      EXPECT_NEAR(solve::solve_lp(game.problem).value, lp.value, 1e-9);
      EXPECT_LE(c.exploitability(recover_paths(c.problem, c.cut, {subgame}, lp.strategy, exact)),
                1e-8);
      if (subgame == 4) break;
    }
  }
}

// Trunks that never take some actions leave chance moves of probability zero in the game that
// sampling solvers walk.
TEST(PathRecovery, SamplersCopeWithMovesThatAreNeverMade) {
  const Cutting c("leduc(distinct=false)", "round:1");
  for (size_t hero = 0; hero < 2; ++hero) {
    // With the first of the hero's cards one action is never taken, first or last.
    Strategy trunk = tree::uniform_strategy(c.problem.tree);
    const uint32_t set = c.problem.tree.infoset_begin[hero];
    for (uint32_t card = 0; card < 2; ++card) {
      const uint32_t slot = c.problem.tree.slot_begin[set + card];
      std::fill_n(trunk.begin() + slot, c.problem.tree.num_actions(set + card), 0.0);
      trunk[slot + card] = 1;
    }
    const RecoveryGame game = make_path_recovery_game(c.problem, c.cut, 1, hero, trunk);
    size_t never = 0;
    for (const double probability : game.problem.tree.probability) never += probability == 0;
    ASSERT_GT(never, 0U);
    const double value = solve::solve_lp(game.problem).value;
    for (const char* algorithm : {"pure-cfr", "external-sampling", "chance-sampling"}) {
      const Strategy found =
          find_equilibrium(game.problem, {.algorithm = algorithm, .iterations = 30000});
      const auto certificate = solve::certify(game.problem, found);
      EXPECT_LE(certificate.exploitability, 0.15) << algorithm;
      EXPECT_NEAR(certificate.value, value, 0.15) << algorithm;
    }
  }
}

TEST(PathRecovery, SampledLeavesAreUnbiased) {
  const Cutting c("kuhn", "depth:3");
  const Strategy trunk = tree::uniform_strategy(c.problem.tree);
  const auto payoffs = [&](const PathRecoveryOptions& options) {
    return make_path_recovery_game(c.problem, c.cut, 0, 0, trunk, options).problem.tree.payoff;
  };
  const auto exact = payoffs({});
  constexpr int kRuns = 400;
  constexpr int64_t kPlayouts = 5;
  std::vector<double> sum(exact.size(), 0.0);
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    const PathRecoveryOptions options{
        .solving = {.seed = seed}, .off_path = OffPath::kSampled, .playouts = kPlayouts};
    const auto sampled = payoffs(options);
    EXPECT_EQ(sampled, payoffs(options));
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += sampled[i];
  }
  // Payoffs lie within 2 chips: five standard deviations of the mean of all playouts.
  const double allowed = 5 * 2 / std::sqrt(static_cast<double>(kRuns * kPlayouts));
  double largest = 0;
  for (size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(sum[i] / kRuns, exact[i], allowed);
    largest = std::max(largest, std::abs(sum[i] / kRuns - exact[i]));
  }
  EXPECT_GT(largest, 0);  // they are samples
  EXPECT_THROW(payoffs({.off_path = OffPath::kSampled, .playouts = 0}), core::InputError);
}

TEST(PathRecovery, MorePlayoutsRecoverBetter) {
  const Cutting c("leduc(distinct=false)", "round:1");
  const Strategy trunk = solve::solve_lp(c.problem).strategy;
  const auto exploitability = [&](int64_t playouts) {
    PathRecoveryOptions options{.off_path = OffPath::kSampled, .playouts = playouts};
    options.solving.iterations = 300;
    return c.exploitability(recover_paths(c.problem, c.cut, each_subgame(c.cut), trunk, options));
  };
  const double few = exploitability(10), many = exploitability(10000);
  EXPECT_GT(few, 0.05);
  EXPECT_LT(many, 0.05);
}

TEST(PathRecovery, SameSeedSameBitsForAnyNumberOfThreads) {
  const Cutting c("leduc", "round:1");
  const Strategy trunk = tree::uniform_strategy(c.problem.tree);
  for (const bool in_turn : {false, true}) {
    PathRecoveryOptions options{.solving = {.algorithm = "pure-cfr", .iterations = 200},
                                .off_path = OffPath::kSampled,
                                .playouts = 10,
                                .in_turn = in_turn};
    const auto one = recover_paths(c.problem, c.cut, each_subgame(c.cut), trunk, options);
    options.solving.threads = 2;
    EXPECT_EQ(recover_paths(c.problem, c.cut, each_subgame(c.cut), trunk, options), one);
    EXPECT_NE(one, trunk);
  }
}

TEST(PathRecovery, SaysWhatItGuarantees) {
  const auto safe = [](const PathRecoveryOptions& options, size_t subgames) {
    return path_recovery_guarantee(options, subgames).starts_with("safe");
  };
  EXPECT_TRUE(safe({.off_path = OffPath::kBestResponse}, 1));
  EXPECT_TRUE(safe({.off_path = OffPath::kBestResponse, .in_turn = true}, 5));
  EXPECT_FALSE(safe({.off_path = OffPath::kBestResponse}, 5));
  EXPECT_FALSE(safe({.off_path = OffPath::kBestResponse, .path = Path::kLiteral}, 1));
  EXPECT_FALSE(safe({.off_path = OffPath::kSampled}, 1));
  EXPECT_FALSE(safe({}, 1));
}

}  // namespace
}  // namespace cleave::histories
