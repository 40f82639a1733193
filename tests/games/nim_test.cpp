#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

// Histories from these piles on, without the game.
int64_t count_histories(const std::vector<int64_t>& piles, int64_t* decisions) {
  int64_t histories = 1;
  bool any = false;
  for (size_t pile = 0; pile < piles.size(); ++pile) {
    for (int64_t take = 1; take <= piles[pile]; ++take) {
      std::vector<int64_t> next = piles;
      next[pile] -= take;
      histories += count_histories(next, decisions);
      any = true;
    }
  }
  *decisions += any;
  return histories;
}

// Solved by backward induction over histories.
int value(const Game& game, const std::vector<std::byte>& state) {
  const Turn turn = game.turn(state.data());
  if (turn.actor == kTerminal) return game.payoff(state.data(), 0).sign();
  int best = turn.actor == 0 ? -1 : 1;
  std::vector<std::byte> next(state.size());
  for (int a = 0; a < turn.num_actions; ++a) {
    game.child(state.data(), a, next.data());
    best = turn.actor == 0 ? std::max(best, value(game, next)) : std::min(best, value(game, next));
  }
  return best;
}

TEST(NimTest, EveryDecisionIsItsOwnInformationSet) {
  for (const std::vector<int64_t>& piles :
       std::vector<std::vector<int64_t>>{{1}, {1, 2, 3}, {5}, {2, 2, 2}, {1, 1, 1, 1, 1}}) {
    int64_t decisions = 0;
    const int64_t histories = count_histories(piles, &decisions);
    const WalkResult result =
        walk(*make_game(fmt::format("nim(piles={})", core::param_text(piles))));
    EXPECT_TRUE(result.errors.empty()) << describe(result);
    EXPECT_EQ(result.histories, histories);
    EXPECT_EQ(result.all_infosets(), decisions);
  }
}

TEST(NimTest, DefaultCounts) {
  const WalkResult result = walk(*make_game("nim"));
  EXPECT_EQ(result.histories, 447);
  EXPECT_EQ(result.all_infosets(), 265);
}

TEST(NimTest, FirstPlayerWinsExactlyWithANonzeroNimSum) {
  for (const std::vector<int64_t>& piles :
       std::vector<std::vector<int64_t>>{{1, 2, 3}, {1, 2, 2}, {3, 3}, {4}, {1, 1, 1}, {2, 1, 1}}) {
    int64_t nim_sum = 0;
    for (const int64_t pile : piles) nim_sum ^= pile;
    const auto game = make_game(fmt::format("nim(piles={})", core::param_text(piles)));
    EXPECT_EQ(value(*game, state_after(*game, {})), nim_sum != 0 ? 1 : -1) << game->name();
  }
}

TEST(NimTest, MovesByHand) {
  const auto game = make_game("nim");
  EXPECT_EQ(situation(*game, {}), "1: start: 1-1 2-1 2-2 3-1 3-2 3-3");
  EXPECT_EQ(situation(*game, {"3-3"}), "2: 3-3: 1-1 2-1 2-2");
  EXPECT_EQ(situation(*game, {"3-3", "2-1"}), "1: 3-3|2-1: 1-1 2-1");
  EXPECT_EQ(situation(*game, {"3-3", "2-2", "1-1"}), "terminal: 1");
  EXPECT_EQ(situation(*game, {"3-3", "2-1", "2-1", "1-1"}), "terminal: -1");
}

TEST(NimTest, RefusesPilesThatDoNotFit) {
  EXPECT_THROW(make_game("nim(piles=)"), core::InputError);
  EXPECT_THROW(make_game("nim(piles=15:15:15)"), core::InputError);
  EXPECT_THROW(make_game("nim(piles=1:1:1:1:1:1:1:1:1)"), core::InputError);
  EXPECT_THROW(make_game("nim(piles=16)"), core::InputError);
  EXPECT_THROW(make_game("nim(piles=2:0)"), core::InputError);
  EXPECT_NO_THROW(make_game("nim(piles=15:15:10)"));
}

}  // namespace
}  // namespace cleave::games
