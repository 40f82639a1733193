#include "tree/tree.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "games/efg.h"
#include "games/registry.h"
#include "reference.h"

namespace cleave::tree {
namespace {

Tree make(const std::string& name) { return compile(*games::make_game(name)); }

TEST(Tree, PublishedCounts) {
  struct Case {
    const char* game;
    size_t histories;
    size_t infosets;
  };
  for (const Case& c : {Case{"kuhn", 58, 12}, Case{"leduc", 9457, 936},
                        Case{"liars_dice", 294883, 24576}, Case{"goofspiel", 1077, 162}}) {
    const Tree tree = make(c.game);
    EXPECT_EQ(tree.num_histories(), c.histories) << c.game;
    EXPECT_EQ(tree.num_infosets(), c.infosets) << c.game;
    EXPECT_TRUE(tree.perfect_recall()) << c.game;
    EXPECT_TRUE(tree.constant_sum()) << c.game;
    EXPECT_FALSE(tree.perfect_information) << c.game;
  }
}

TEST(Tree, ArraysAreConsistent) {
  for (const char* name : {"kuhn", "leduc", "goofspiel", "coin_toss", "rps",
                           "random(depth=5,branching=3,seed=7)", "nim"}) {
    SCOPED_TRACE(name);
    const Tree tree = make(name);
    ASSERT_EQ(tree.child_begin.size(), tree.num_histories() + 1);
    EXPECT_EQ(tree.child_begin.back(), tree.num_histories());
    EXPECT_EQ(tree.level_begin.back(), tree.num_histories());
    size_t terminals = 0;
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      const uint32_t children = tree.child_begin[h + 1] - tree.child_begin[h];
      for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
        ASSERT_EQ(tree.parent[c], h);
        ASSERT_GT(c, h);
      }
      double sum = 0;
      if (tree.actor[h] == kTerminal) {
        ASSERT_EQ(tree.infoset[h], terminals++);
        ASSERT_EQ(children, 0U);
      } else if (tree.actor[h] == kChance) {
        for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
          sum += tree.probability[c];
        }
        ASSERT_NEAR(sum, 1, 1e-12);
      } else {
        const uint32_t set = tree.infoset[h];
        ASSERT_EQ(tree.num_actions(set), children);
        ASSERT_EQ(tree.player(set), tree.actor[h]);
        ASSERT_LE(tree.first_history[set], h);
        for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
          ASSERT_EQ(tree.sequence[tree.actor[h]][c], tree.slot_begin[set] + tree.action(c));
          ASSERT_EQ(tree.sequence[1 - tree.actor[h]][c], tree.sequence[1 - tree.actor[h]][h]);
        }
      }
    }
    EXPECT_EQ(terminals, tree.payoff.size());
    // Information sets of a player stand by level.
    for (size_t p = 0; p < 2; ++p) {
      for (uint32_t set = tree.infoset_begin[p]; set + 1 < tree.infoset_begin[p + 1]; ++set) {
        EXPECT_LT(tree.first_history[set], tree.first_history[set + 1]);
      }
    }
  }
}

// Public states straight from the definition: grow each set until nothing changes.
TEST(Tree, PublicStatesAreTheSmallestClosedSets) {
  for (const char* name : {"kuhn", "coin_toss", "rps", "goofspiel(cards=3)",
                           "random(depth=4,branching=3,seed=3)", "leduc(ranks=2,suits=2)"}) {
    SCOPED_TRACE(name);
    const Tree tree = make(name);
    const auto augmented = [&](uint32_t h, int p) {
      return tree.actor[h] == p ? std::pair(1, tree.infoset[h])
                                : std::pair(0, tree.sequence[static_cast<size_t>(p)][h]);
    };
    std::set<uint32_t> seen_states;
    for (int level = 0; level < tree.num_levels(); ++level) {
      std::vector<uint32_t> histories;
      for (uint32_t h = tree.level_begin[static_cast<size_t>(level)];
           h < tree.level_begin[static_cast<size_t>(level) + 1]; ++h) {
        if (tree.actor[h] == kTerminal) {
          EXPECT_EQ(tree.public_state[h], kNone);
        } else {
          histories.push_back(h);
        }
      }
      std::set<uint32_t> done;
      for (const uint32_t start : histories) {
        if (done.count(start)) continue;
        std::set<uint32_t> closed{start};
        for (bool grew = true; grew;) {
          grew = false;
          for (const uint32_t h : histories) {
            if (closed.count(h)) continue;
            const bool joins = std::any_of(closed.begin(), closed.end(), [&](uint32_t k) {
              return augmented(h, 0) == augmented(k, 0) || augmented(h, 1) == augmented(k, 1);
            });
            if (joins) grew = closed.insert(h).second;
          }
        }
        const uint32_t state = tree.public_state[start];
        EXPECT_TRUE(seen_states.insert(state).second);
        for (const uint32_t h : histories) {
          EXPECT_EQ(tree.public_state[h] == state, closed.count(h) == 1);
        }
        done.insert(closed.begin(), closed.end());
      }
    }
    EXPECT_EQ(seen_states.size(), tree.num_public_states);
  }
}

// Burch: five betting sequences reach Leduc's second round, five subgames begin at its chance
// nodes.
TEST(Tree, LeducHasFiveSubgamesAtTheBoard) {
  const Tree tree = make("leduc");
  std::set<uint32_t> states;
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    if (tree.actor[h] == kChance && tree.actor[tree.parent[h]] != kChance) {
      states.insert(tree.public_state[h]);
    }
  }
  EXPECT_EQ(states.size(), 5U);
}

constexpr const char* kImperfectRecall = R"(EFG 2 R "forgetful" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "x" "y" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 1 2 0
t "" 1
t "" 2
)";

TEST(Tree, ImperfectRecallIsRecognisedAndRefused) {
  const auto game = games::read_efg(kImperfectRecall, "forgetful.efg");
  const Tree tree = compile(*game);
  EXPECT_FALSE(tree.perfect_recall());
  try {
    require_solvable(tree, *game, "solving");
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("perfect recall"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("second"), std::string::npos);
  }
}

TEST(Tree, ThreePlayersAndGeneralSumAreDescribedAndRefused) {
  const auto three = games::read_efg(
      "EFG 2 R \"x\" { \"A\" \"B\" \"C\" }\np \"\" 3 1 \"s\" { \"l\" \"r\" } 0\n"
      "t \"\" 1 \"\" { 1 2 3 }\nt \"\" 2 \"\" { 0 0 6 }\n",
      "three.efg");
  const Tree tree = compile(*three);
  EXPECT_EQ(tree.num_players, 3);
  EXPECT_EQ(tree.num_infosets(), 1U);
  EXPECT_EQ(tree.player(0), 2);
  EXPECT_THROW(require_solvable(tree, *three, "solving"), core::InputError);

  const auto general = games::read_efg(
      "EFG 2 R \"x\" { \"A\" \"B\" }\np \"\" 1 1 \"s\" { \"l\" \"r\" } 0\n"
      "t \"\" 1 \"\" { 1 2 }\nt \"\" 2 \"\" { 0 0 }\n",
      "general.efg");
  EXPECT_FALSE(compile(*general).constant_sum());
  EXPECT_THROW(require_solvable(compile(*general), *general, "solving"), core::InputError);
}

TEST(Tree, ConstantSumIsShifted) {
  const auto game = games::read_efg(
      "EFG 2 R \"x\" { \"A\" \"B\" }\np \"\" 1 1 \"s\" { \"l\" \"r\" } 0\n"
      "t \"\" 1 \"\" { 3 7 }\nt \"\" 2 \"\" { 4 6 }\n",
      "constant.efg");
  const Tree tree = compile(*game);
  EXPECT_TRUE(tree.constant_sum());
  EXPECT_EQ(tree.shift, 5);
  EXPECT_EQ(tree.payoff, (std::vector<double>{-2, -1}));
  require_solvable(tree, *game, "solving");
}

TEST(Tree, RefusesWhatDoesNotFitIntoMemory) {
  CompileOptions options;
  options.max_bytes = 1 << 20;
  EXPECT_THROW(compile(*games::make_game("liars_dice"), options), core::InputError);
}

TEST(Tree, LabelsAndReplay) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  const Labels labels = make_labels(*game, tree);
  for (size_t p = 0; p < 2; ++p) {
    const std::set<std::string> unique(labels.infoset.begin() + tree.infoset_begin[p],
                                       labels.infoset.begin() + tree.infoset_begin[p + 1]);
    EXPECT_EQ(unique.size(), 6U);
  }
  for (const std::string& label : labels.action) EXPECT_FALSE(label.empty());
}

TEST(Tree, FingerprintTellsGamesApart) {
  const auto a = make("leduc").fingerprint();
  EXPECT_EQ(a, make("leduc").fingerprint());
  EXPECT_FALSE(a == make("leduc(ante=2)").fingerprint());
  EXPECT_FALSE(make("random(seed=1)").fingerprint() == make("random(seed=2)").fingerprint());
}

}  // namespace
}  // namespace cleave::tree
