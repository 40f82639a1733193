#include "histories/cut.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "histories/piece.h"
#include "random_games.h"

namespace cleave::histories {
namespace {

struct Game {
  explicit Game(const std::string& name)
      : game(games::make_game(name)), tree(tree::compile(*game)) {}
  Cut cut(std::string_view spec) const { return make_cut(*game, tree, spec); }
  std::unique_ptr<games::Game> game;
  tree::Tree tree;
};

std::string error_of(const Game& game, std::string_view spec) {
  try {
    game.cut(spec);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

// Closed under descendants and information sets; roots of one augmented set in one subgame.
void expect_closed(const tree::Tree& tree, const Cut& cut, const std::string& name) {
  std::vector<uint32_t> subgame_of_set(tree.num_infosets(), tree::kNone - 1);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    const uint32_t s = cut.subgame[h];
    if (h > 0 && cut.subgame[tree.parent[h]] != tree::kNone) {
      ASSERT_EQ(s, cut.subgame[tree.parent[h]]) << name;
    }
    if (tree.actor[h] >= 2) continue;
    uint32_t& seen = subgame_of_set[tree.infoset[h]];
    if (seen == tree::kNone - 1) seen = s;
    ASSERT_EQ(seen, s) << name << " history " << h;
  }
  std::map<std::pair<size_t, PrivateState>, size_t> home;
  for (size_t s = 0; s < cut.roots.size(); ++s) {
    const Border border = make_border(tree, cut.roots[s]);
    for (size_t p = 0; p < 2; ++p) {
      for (const PrivateState& state : border.states[p]) {
        const auto [place, is_new] = home.try_emplace({p, state}, s);
        ASSERT_TRUE(is_new) << name << ": subgames " << place->second << " and " << s;
      }
    }
    for (const uint32_t h : cut.roots[s]) {
      ASSERT_EQ(cut.subgame[h], s);
      ASSERT_TRUE(h == 0 || cut.subgame[tree.parent[h]] == tree::kNone);
      ASSERT_NE(tree.actor[h], tree::kTerminal);
    }
  }
}

TEST(Cut, LeducAfterTheFirstRoundHasFiveSubgames) {
  const Game leduc("leduc");
  const Cut cut = leduc.cut("round:1");
  ASSERT_EQ(cut.roots.size(), 5U);
  for (const auto& roots : cut.roots) {
    EXPECT_EQ(roots.size(), 30U);  // deals of two of six cards
    for (const uint32_t h : roots) EXPECT_EQ(leduc.tree.actor[h], tree::kChance);
    const Border border = make_border(leduc.tree, roots);
    EXPECT_EQ(border.states[0].size(), 6U);
    EXPECT_EQ(border.states[1].size(), 6U);
  }
  EXPECT_EQ(cut.num_pulled, 0U);
  expect_closed(leduc.tree, cut, "leduc");
  EXPECT_EQ(remark(leduc.tree, cut), "");
}

TEST(Cut, BelowANamedHistoryIsItsPublicState) {
  const Game leduc("leduc");
  const Cut cut = leduc.cut("history:Js/Qs/check/check");
  ASSERT_EQ(cut.roots.size(), 1U);
  EXPECT_EQ(cut.roots[0],
            leduc.cut("round:1").roots[leduc.cut("round:1").subgame[cut.roots[0][0]]]);
  const Game kuhn("kuhn");
  EXPECT_EQ(kuhn.cut("depth:4").roots.size(), 1U);  // player one answers a bet
  EXPECT_EQ(kuhn.cut("depth:3").roots.size(), 2U);  // after pass and after bet
}

TEST(Cut, IsClosedOnRandomGames) {
  for (int i = 0; i < 200; ++i) {
    const Game game(random_game_name(i));
    for (size_t d = 1; d + 1 < game.tree.level_begin.size(); ++d) {
      std::vector<uint32_t> seeds;
      core::Random random(static_cast<uint64_t>(i) * 31 + d);
      for (uint32_t h = game.tree.level_begin[d]; h < game.tree.level_begin[d + 1]; ++h) {
        if (game.tree.actor[h] != tree::kTerminal && random.below(3) > 0) seeds.push_back(h);
      }
      if (seeds.empty()) continue;
      expect_closed(game.tree, cut_below(game.tree, seeds, "random"), random_game_name(i));
    }
  }
}

TEST(Cut, SaysWhereAGameShowsLittleInPublic) {
  const Game goofspiel("rps");
  const Cut cut = goofspiel.cut("depth:1");
  EXPECT_EQ(cut.roots.size(), 1U);
  EXPECT_NE(remark(goofspiel.tree, cut), "");
}

TEST(Cut, AllIsEveryDepthAtWhichSomebodyActs) {
  const Game kuhn("kuhn");
  const std::vector<Cut> cuts = make_cuts(*kuhn.game, kuhn.tree, "all");
  ASSERT_EQ(cuts.size(), 3U);
  EXPECT_EQ(cuts[0].name, "depth:2");
  EXPECT_EQ(cuts[2].name, "depth:4");
}

TEST(Cut, ErrorsSayWhatIsAllowed) {
  const Game leduc("leduc");
  EXPECT_EQ(error_of(leduc, "banana"),
            "there is no cut 'banana'; allowed are round:R, depth:D, history:ACTION/ACTION/...");
  EXPECT_EQ(error_of(leduc, "round:2"), "cut 'round:2': allowed is round:1 to round:1");
  EXPECT_EQ(error_of(leduc, "depth:x"), "cut 'depth:x': allowed is depth:1 to depth:10");
  EXPECT_EQ(error_of(leduc, "history:Js/Js"),
            "cut 'history:Js/Js': no action 'Js' there; allowed are Jh, Qs, Qh, Ks, Kh");
  EXPECT_EQ(error_of(leduc, "history:Js/Qs/bet2/fold"),
            "cut 'history:Js/Qs/bet2/fold': the game is over there");
  EXPECT_EQ(error_of(leduc, "history:Js/Qs/bet2/fold/x"),
            "cut 'history:Js/Qs/bet2/fold/x': no action 'x' there; the game is over before it");
  EXPECT_NE(error_of(Game("kuhn"), "round:1").find("chance never moves after a player"),
            std::string::npos);
}

}  // namespace
}  // namespace cleave::histories
