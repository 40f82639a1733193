#include "tree/derive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "games/efg.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"

namespace cleave::tree {
namespace {

constexpr const char* kGames[] = {"kuhn",
                                  "kuhn(cards=5)",
                                  "leduc",
                                  "leduc(distinct=false,bets=1:2)",
                                  "liars_dice(faces=3)",
                                  "goofspiel(cards=3)",
                                  "goofspiel(cards=3,prizes=random,reveal=true)",
                                  "coin_toss",
                                  "rps",
                                  "nim",
                                  "random(depth=6,branching=3,seed=3)",
                                  "random(depth=5,branching=4,seed=4,chance=0.5,vary=true)"};

constexpr const char* kForgetful = R"(EFG 2 R "forgetful" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "x" "y" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 1 2 0
t "" 1
t "" 2
)";

Tree make(const std::string& name) { return compile(*games::make_game(name)); }

solve::Problem ready(Tree tree) {
  solve::Problem problem{std::move(tree), {}};
  problem.form = make_sequence_form(problem.tree);
  return problem;
}

// What the arrays of every tree promise (tree.h).
void expect_consistent(const Tree& tree) {
  ASSERT_EQ(tree.child_begin.size(), tree.num_histories() + 1);
  ASSERT_EQ(tree.child_begin.back(), tree.num_histories());
  ASSERT_EQ(tree.level_begin.back(), tree.num_histories());
  ASSERT_EQ(tree.slot_begin.size(), tree.num_infosets() + 1);
  ASSERT_EQ(tree.infoset_begin.back(), tree.num_infosets());
  uint32_t terminals = 0;
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
      ASSERT_EQ(tree.parent[c], h);
      for (size_t p = 0; p < 2; ++p) {
        const uint32_t expected = tree.actor[h] == p
                                      ? tree.slot_begin[tree.infoset[h]] + tree.action(c)
                                      : tree.sequence[p][h];
        if (h > 0) {
          ASSERT_EQ(tree.sequence[p][c], expected);
        }
      }
    }
    if (tree.actor[h] == kTerminal) {
      ASSERT_EQ(tree.infoset[h], terminals++);
    } else if (tree.actor[h] < 2) {
      ASSERT_EQ(tree.player(tree.infoset[h]), tree.actor[h]);
      ASSERT_EQ(tree.num_actions(tree.infoset[h]), tree.child_begin[h + 1] - tree.child_begin[h]);
      ASSERT_LE(tree.first_history[tree.infoset[h]], h);
    }
  }
  ASSERT_EQ(terminals, tree.payoff.size());
}

Strategy restrict_to(const Derived& derived, const Strategy& strategy) {
  Strategy result(derived.tree.num_slots(), 0.0);
  for (size_t slot = 0; slot < result.size(); ++slot) {
    if (derived.source_slot[slot] != kNone) result[slot] = strategy[derived.source_slot[slot]];
  }
  return result;
}

TEST(Derive, IdentityIsTheSameGame) {
  for (const char* name : kGames) {
    SCOPED_TRACE(name);
    const Tree tree = make(name);
    const Derived same = derive(tree, {});
    ASSERT_NO_FATAL_FAILURE(expect_consistent(same.tree));
    EXPECT_EQ(same.tree.fingerprint(), tree.fingerprint());
    EXPECT_EQ(same.tree.name, tree.name);
    EXPECT_EQ(same.tree.parent, tree.parent);
    EXPECT_EQ(same.tree.level_begin, tree.level_begin);
    EXPECT_EQ(same.tree.sequence, tree.sequence);
    EXPECT_EQ(same.tree.first_history, tree.first_history);
    EXPECT_EQ(same.tree.shift, tree.shift);
    EXPECT_TRUE(same.tree.constant_sum());
    EXPECT_TRUE(same.tree.perfect_recall());
    for (uint32_t h = 0; h < tree.num_histories(); ++h) ASSERT_EQ(same.source[h], h);
    for (uint32_t s = 0; s < tree.num_slots(); ++s) ASSERT_EQ(same.source_slot[s], s);
    const Strategy strategy = random_strategy(tree, 5);
    const auto before = solve::certify(ready(tree), strategy);
    const auto after = solve::certify(ready(same.tree), strategy);
    EXPECT_EQ(after.value, before.value);
    EXPECT_EQ(after.best_response, before.best_response);
    EXPECT_EQ(after.exploitability, before.exploitability);
  }
}

TEST(Derive, ConstantSumShiftStays) {
  const auto game = games::read_efg(
      "EFG 2 R \"x\" { \"A\" \"B\" }\np \"\" 1 1 \"s\" { \"l\" \"r\" } 0\n"
      "t \"\" 1 \"\" { 3 7 }\nt \"\" 2 \"\" { 4 6 }\n",
      "constant.efg");
  const Derived same = derive(compile(*game), {});
  EXPECT_EQ(same.tree.shift, 5);
  EXPECT_EQ(solve::solve_lp(ready(same.tree)).value, 4);
}

// With one player's moves given to chance, what is left is the other's best response.
TEST(Derive, FixingAPlayerLeavesTheOthersBestResponse) {
  for (const char* name : kGames) {
    const solve::Problem problem = ready(make(name));
    const Strategy strategy = random_strategy(problem.tree, 11);
    for (int fixed = 0; fixed < 2; ++fixed) {
      SCOPED_TRACE(testing::Message() << name << " fixed " << fixed);
      Recipe recipe;
      recipe.strategy = &strategy;
      recipe.treat = [&](uint32_t h) {
        return problem.tree.actor[h] == fixed ? Treatment::kFix : Treatment::kKeep;
      };
      const Derived derived = derive(problem.tree, recipe);
      ASSERT_NO_FATAL_FAILURE(expect_consistent(derived.tree));
      const auto f = static_cast<size_t>(fixed);
      EXPECT_EQ(derived.tree.infoset_begin[f], derived.tree.infoset_begin[f + 1]);
      for (uint32_t h = 0; h < derived.tree.num_histories(); ++h) {
        ASSERT_NE(derived.tree.actor[h], fixed);
        if (derived.tree.actor[h] != kChance) continue;
        double sum = 0;
        for (uint32_t c = derived.tree.child_begin[h]; c < derived.tree.child_begin[h + 1]; ++c) {
          sum += derived.tree.probability[c];
        }
        ASSERT_NEAR(sum, 1, 1e-12);
      }
      const solve::Problem rest = ready(derived.tree);
      const auto c = solve::certify(rest, restrict_to(derived, strategy));
      const auto whole = solve::certify(problem, strategy);
      EXPECT_NEAR(c.value, whole.value, 1e-12);
      EXPECT_NEAR(c.best_response[1 - f], whole.best_response[1 - f], 1e-12);
      EXPECT_NEAR(
          c.best_response[1 - f],
          reference::best_response_value(problem.tree, strategy, 1 - fixed) + problem.tree.shift,
          1e-12);
      EXPECT_NEAR(c.best_response[f], fixed == 0 ? c.value : -c.value, 1e-12);  // nothing to choose
      const double lp = solve::solve_lp(rest).value;
      EXPECT_NEAR(fixed == 1 ? lp : -lp, whole.best_response[1 - f], 1e-8);
    }
  }
}

TEST(Derive, EndingHistoriesWithTheirValuesKeepsTheValue) {
  for (const char* name : kGames) {
    const Tree tree = make(name);
    const Strategy strategy = random_strategy(tree, 3);
    const auto values = reference::values(tree, strategy);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(testing::Message() << name << " " << seed);
      core::Random random(seed);
      std::vector<bool> ends(tree.num_histories());
      size_t expected = 0;  // histories that are left
      std::vector<bool> gone(tree.num_histories(), false);
      for (uint32_t h = 0; h < tree.num_histories(); ++h) {
        ends[h] = random.below(8) == 0;
        gone[h] = h > 0 && (gone[tree.parent[h]] || ends[tree.parent[h]]);
        expected += gone[h] ? 0 : 1;
      }
      Recipe recipe;
      recipe.treat = [&](uint32_t h) { return ends[h] ? Treatment::kEnd : Treatment::kKeep; };
      recipe.value = [&](uint32_t h) { return values[h]; };
      const Derived derived = derive(tree, recipe);
      ASSERT_NO_FATAL_FAILURE(expect_consistent(derived.tree));
      EXPECT_EQ(derived.tree.num_histories(), expected);
      const auto inside = restrict_to(derived, strategy);
      EXPECT_NEAR(reference::values(derived.tree, inside)[0], values[0], 1e-12);
      EXPECT_NEAR(solve::certify(ready(derived.tree), inside).value, values[0] + tree.shift, 1e-12);
    }
  }
}

TEST(Derive, LeavingMovesOutGivesTheSmallerGame) {
  const Tree tree = make("leduc");
  const auto game = games::make_game("leduc");
  std::vector<bool> raise(tree.num_histories(), false);
  std::vector<uint32_t> all(tree.num_histories());
  for (uint32_t h = 0; h < all.size(); ++h) all[h] = h;
  replay(*game, tree, all, [&](uint32_t h, const std::byte* state) {
    for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
      raise[c] = game->action_label(state, static_cast<int>(tree.action(c))).starts_with("raise");
    }
  });
  Recipe recipe;
  recipe.keeps = [&](uint32_t child) { return !raise[child]; };
  const Derived derived = derive(tree, recipe);
  const Tree smaller = make("leduc(max_raises=0)");
  EXPECT_EQ(derived.tree.fingerprint(), smaller.fingerprint());
  EXPECT_EQ(derived.tree.sequence, smaller.sequence);
  const Labels labels = make_labels(*game, tree);
  const Labels fewer = make_labels(*games::make_game("leduc(max_raises=0)"), smaller);
  for (uint32_t s = 0; s < smaller.num_slots(); ++s) {
    EXPECT_EQ(labels.action[derived.source_slot[s]], fewer.action[s]);
  }
}

TEST(Derive, RootsReplaceTheFirstMoves) {
  for (const char* name : {"kuhn", "leduc", "coin_toss"}) {  // chance's first move taken out
    SCOPED_TRACE(name);
    const solve::Problem problem = ready(make(name));
    Recipe recipe;
    for (uint32_t c = problem.tree.child_begin[0]; c < problem.tree.child_begin[1]; ++c) {
      recipe.roots.push_back({c, problem.tree.probability[c], {kNone, kNone}, 0});
    }
    const Derived derived = derive(problem.tree, recipe);
    ASSERT_NO_FATAL_FAILURE(expect_consistent(derived.tree));
    EXPECT_EQ(derived.tree.num_histories(), problem.tree.num_histories());
    EXPECT_EQ(derived.source[0], kNone);
    const Strategy strategy = random_strategy(problem.tree, 2);
    const auto before = solve::certify(problem, strategy);
    const auto after = solve::certify(ready(derived.tree), restrict_to(derived, strategy));
    EXPECT_NEAR(after.value, before.value, 1e-13);
    EXPECT_NEAR(after.exploitability, before.exploitability, 1e-13);
  }
}

TEST(Derive, CopiesAreGamesOfTheirOwnUnlessCellsJoinThem) {
  const solve::Problem problem = ready(make("kuhn"));
  const double value = solve::solve_lp(problem).value;
  Recipe recipe;
  recipe.roots = {{0, 0.25, {kNone, kNone}, 0}, {0, 0.75, {kNone, kNone}, 1}};
  const Derived apart = derive(problem.tree, recipe);
  EXPECT_EQ(apart.tree.num_infosets(), 2 * problem.tree.num_infosets());
  EXPECT_NEAR(solve::solve_lp(ready(apart.tree)).value, value, 1e-9);
  recipe.cell = [](uint32_t set, uint32_t) { return set; };
  const Derived joined = derive(problem.tree, recipe);
  EXPECT_EQ(joined.tree.num_infosets(), problem.tree.num_infosets());
  EXPECT_TRUE(joined.tree.perfect_recall());
  const Strategy strategy = random_strategy(problem.tree, 9);
  EXPECT_NEAR(solve::certify(ready(joined.tree), restrict_to(joined, strategy)).exploitability,
              solve::certify(problem, strategy).exploitability, 1e-13);
}

// Both choose before the root: a matrix game without a single history where anyone acts.
TEST(Derive, EntrySetsAreDecisions) {
  const Tree tree = make("rps");
  Recipe recipe;
  recipe.entry_sets = {std::vector<uint32_t>{3}, std::vector<uint32_t>{3}};
  recipe.roots = {{0, 0, {0, 0}, 0}};  // never dealt
  const double payoff[3][3] = {{0, -1, 2}, {1, 0, -3}, {-2, 3, 0}};
  for (uint32_t a = 0; a < 3; ++a) {
    for (uint32_t b = 0; b < 3; ++b) recipe.ends.push_back({1, payoff[a][b], {a, b}});
  }
  const Derived derived = derive(tree, recipe);
  EXPECT_EQ(derived.source_slot[0], kNone);
  const solve::Problem problem = ready(derived.tree);
  const auto solution = solve::solve_lp(problem);
  // x A = 0 for x = (3, 2, 1) / 6: worked out by hand.
  EXPECT_NEAR(solution.value, 0, 1e-10);
  for (size_t p = 0; p < 2; ++p) {
    const uint32_t slot = derived.tree.slot_begin[derived.tree.infoset_begin[p]];
    EXPECT_NEAR(solution.strategy[slot], 3.0 / 6, 1e-9);
    EXPECT_NEAR(solution.strategy[slot + 1], 2.0 / 6, 1e-9);
    EXPECT_NEAR(solution.strategy[slot + 2], 1.0 / 6, 1e-9);
  }
}

// A player's private card chosen by an entry set of that player instead of dealt: the sets behind
// it hang below the entry's slots.
TEST(Derive, EntrySetsPrecedeTheSetsBelow) {
  const Tree tree = make("kuhn");
  Recipe recipe;
  recipe.entry_sets = {std::vector<uint32_t>{3}, {}};
  for (uint32_t card = 0; card < 3; ++card) {
    const uint32_t first = tree.child_begin[0] + card;
    for (uint32_t c = tree.child_begin[first]; c < tree.child_begin[first + 1]; ++c) {
      recipe.roots.push_back({c, 0.5, {card, kNone}, 0});
    }
  }
  const solve::Problem problem = ready(derive(tree, recipe).tree);
  EXPECT_TRUE(problem.tree.perfect_recall());
  // Always the king: player two folds to every bet with less, but checks cost nothing, so player
  // one gets the ante.
  const auto solution = solve::solve_lp(problem);
  EXPECT_NEAR(solution.value, 1, 1e-9);
  EXPECT_NEAR(solution.strategy[2], 1, 1e-9);
}

TEST(Derive, MergedSetsAreOneDecision) {
  const Tree tree = make("kuhn");
  Recipe recipe;
  const Labels labels = make_labels(*games::make_game("kuhn"), tree);
  recipe.cell = [&](uint32_t set, uint32_t) {  // the card is forgotten from the beginning
    const std::string& label = labels.infoset[set];
    return std::hash<std::string>()(label.substr(1));
  };
  const Derived derived = derive(tree, recipe);
  ASSERT_NO_FATAL_FAILURE(expect_consistent(derived.tree));
  EXPECT_EQ(derived.tree.num_infosets(), 4U);
  EXPECT_TRUE(derived.tree.perfect_recall());
  // Blind, a bet cannot be answered by a fold at a profit: the value is 0.
  EXPECT_NEAR(solve::solve_lp(ready(derived.tree)).value, 0, 1e-9);
}

TEST(Derive, ImperfectRecallIsNoticed) {
  const auto game = games::read_efg(kForgetful, "forgetful.efg");
  const Tree tree = compile(*game);
  const Derived same = derive(tree, {});
  EXPECT_EQ(same.tree.imperfect_recall_infoset, tree.imperfect_recall_infoset);

  // Leduc with the private card forgotten after round one.
  const Tree leduc = make("leduc");
  const Labels labels = make_labels(*games::make_game("leduc"), leduc);
  Recipe recipe;
  recipe.cell = [&](uint32_t set, uint32_t) {
    const std::string& label = labels.infoset[set];
    const size_t bar = label.find('|');
    return bar == std::string::npos ? set : std::hash<std::string>()(label.substr(2));
  };
  const Derived forgetful = derive(leduc, recipe);
  ASSERT_FALSE(forgetful.tree.perfect_recall());
  const uint32_t h = forgetful.tree.first_history[forgetful.tree.imperfect_recall_infoset];
  const std::string& label = labels.infoset[leduc.infoset[forgetful.source[h]]];
  EXPECT_NE(label.find('|'), std::string::npos) << label;
}

TEST(Derive, SetsWithOtherActionsCannotBeMerged) {
  const Tree tree = make("leduc");
  Recipe recipe;
  recipe.cell = [](uint32_t, uint32_t) { return 0; };
  try {
    derive(tree, recipe);
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("leduc"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("actions"), std::string::npos);
  }
}

// A derived tree is a tree like any other: deriving in two steps is deriving in one.
TEST(Derive, CanBeDerivedFromAgain) {
  const Tree tree = make("leduc");
  const Strategy strategy = random_strategy(tree, 21);
  const auto fix = [&](const Tree& source, const Strategy& profile, int player) {
    Recipe recipe;
    recipe.strategy = &profile;
    recipe.treat = [&source, player](uint32_t h) {
      return source.actor[h] == player ? Treatment::kFix : Treatment::kKeep;
    };
    return derive(source, recipe);
  };
  const Derived first = fix(tree, strategy, 0);
  const Derived second = fix(first.tree, restrict_to(first, strategy), 1);
  EXPECT_EQ(second.tree.num_infosets(), 0U);
  EXPECT_NEAR(solve::certify(ready(second.tree), {}).value,
              solve::certify(ready(tree), strategy).value, 1e-13);
}

}  // namespace
}  // namespace cleave::tree
