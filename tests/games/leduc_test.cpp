#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/registry.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

TEST(LeducTest, BurchsGameHasThePublishedCounts) {
  const auto game = make_game("leduc");
  const WalkResult result = walk(*game);
  EXPECT_TRUE(result.errors.empty()) << describe(result);
  EXPECT_EQ(result.histories, 9457);
  EXPECT_EQ(result.all_infosets(), 936);
  EXPECT_LE(game->state_bytes(), 64U);
}

// The seven rows of the FPIRA paper's table.
struct FpiraRow {
  int k;
  int r;
  int64_t paper;   // its G'
  int64_t acting;  // information sets at which somebody acts, t (e + 1) + t^2 e (e + 1), t = 4
};

class LeducFpiraTest : public testing::TestWithParam<FpiraRow> {};

TEST_P(LeducFpiraTest, CountsMatchThePaper) {
  const FpiraRow row = GetParam();
  std::string bets = "1";
  for (int size = 2; size <= row.k; ++size) bets += fmt::format(":{}", size);
  const auto game = make_game(
      fmt::format("leduc(ranks=4,suits=3,distinct=false,max_raises={},bets={})", row.r, bets));

  // A board is dealt after every betting sequence that ends the first round without a fold: chance
  // acts at the root, after each of 4 first cards, and e times after each of 16 pairs of cards.
  int64_t deals = 0;
  for_each_state(*game, [&](const std::byte*, Turn turn) { deals += turn.actor == kChance; });
  const int64_t e = (deals - 5) / 16;
  EXPECT_EQ(deals, 5 + 16 * e);
  EXPECT_EQ(8 * e + 48 * e * e, row.paper);
  EXPECT_EQ(count_infosets_by_key(*game), row.acting);
}

INSTANTIATE_TEST_SUITE_P(Table, LeducFpiraTest,
                         testing::Values(FpiraRow{2, 1, 8216, 2968}, FpiraRow{3, 1, 30200, 10504},
                                         FpiraRow{4, 1, 81016, 27720},
                                         FpiraRow{5, 1, 179096, 60760},
                                         FpiraRow{2, 2, 40600, 14040},
                                         FpiraRow{2, 3, 179096, 60760},
                                         FpiraRow{2, 4, 751000, 252504}));

TEST(LeducTest, VariantsKeepTheContract) {
  for (const char* spec :
       {"leduc(ranks=4,suits=3,distinct=false,bets=1:2)", "leduc(ranks=3,suits=1,max_raises=0)",
        "leduc(ranks=2,suits=4,distinct=false,bets=1:3/2,raises=5/1:2:9)",
        "leduc(ranks=5,suits=2,ante=3,max_raises=2)"}) {
    const auto game = make_game(spec);
    const WalkResult result = walk(*game);
    EXPECT_TRUE(result.errors.empty()) << game->name() << "\n" << describe(result);
  }
}

TEST(LeducTest, PaysByHand) {
  const auto game = make_game("leduc");
  const auto after = [&](const std::vector<std::string>& labels) {
    return situation(*game, labels);
  };
  // Ante 1, bets 2 then 4.
  EXPECT_EQ(after({"Js", "Ks", "check", "bet2", "fold"}), "terminal: -1");
  EXPECT_EQ(after({"Js", "Ks", "bet2", "raise2", "fold"}), "terminal: -3");
  EXPECT_EQ(after({"Js", "Ks", "bet2", "fold"}), "terminal: 1");
  EXPECT_EQ(after({"Js", "Ks", "bet2", "raise2", "call", "Jh", "check", "check"}), "terminal: 5");
  EXPECT_EQ(after({"Js", "Ks", "bet2", "call", "Qh", "bet4", "raise4", "call"}), "terminal: -11");
  EXPECT_EQ(after({"Js", "Ks", "bet2", "call", "Qh", "bet4", "raise4", "fold"}), "terminal: -7");
  EXPECT_EQ(after({"Qs", "Qh", "check", "check", "Kh", "bet4", "call"}), "terminal: 0");
  EXPECT_EQ(after({"Ks", "Qs", "check", "check", "Qh", "bet4", "call"}), "terminal: -5");
  EXPECT_EQ(after({"Ks", "Qs", "check", "check", "Jh", "check", "bet4", "call"}), "terminal: 5");
}

TEST(LeducTest, ActionsAndLabelsByHand) {
  const auto game = make_game("leduc");
  EXPECT_EQ(situation(*game, {"Js"}), "chance: Jh Qs Qh Ks Kh");
  EXPECT_EQ(situation(*game, {"Js", "Qh"}), "1: Js:: check bet2");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "check"}), "2: Qh:c: check bet2");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "bet2"}), "2: Qh:r: fold call raise2");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "bet2", "raise2"}), "1: Js:rr: fold call");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "bet2", "call"}), "chance: Jh Qs Ks Kh");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "bet2", "call", "Ks"}), "1: Js:rc|Ks:: check bet4");
  EXPECT_EQ(situation(*game, {"Js", "Qh", "bet2", "call", "Ks", "check"}),
            "2: Qh:rc|Ks:c: check bet4");
}

TEST(LeducTest, SeveralSizesPerRound) {
  const auto game = make_game("leduc(bets=1:3/2,raises=5/1:2,max_raises=2)");
  EXPECT_EQ(situation(*game, {"Js", "Qs"}), "1: Js:: check bet1 bet3");
  EXPECT_EQ(situation(*game, {"Js", "Qs", "bet3"}), "2: Qs:r3: fold call raise5");
  // A raise adds to the amount to call: 1 + 3, then 1 + 3 + 5, then 1 + 3 + 5 + 5.
  EXPECT_EQ(situation(*game, {"Js", "Qs", "bet3", "raise5", "fold"}), "terminal: -4");
  EXPECT_EQ(situation(*game, {"Js", "Qs", "bet3", "raise5", "raise5", "fold"}), "terminal: 9");
  EXPECT_EQ(situation(*game, {"Js", "Qs", "bet3", "raise5", "raise5"}), "2: Qs:r3rr: fold call");
  EXPECT_EQ(situation(*game, {"Js", "Qs", "check", "check", "Qh", "bet2", "raise1"}),
            "1: Js:cc|Qh:rr1: fold call raise1 raise2");
  EXPECT_EQ(situation(*game, {"Js", "Qs", "check", "check", "Qh", "bet2", "raise1", "call"}),
            "terminal: -4");
}

TEST(LeducTest, CardsThatNobodyTellsApartAreMerged) {
  const auto game = make_game("leduc(ranks=4,suits=3,distinct=false)");
  EXPECT_EQ(situation(*game, {}), "chance: J Q K A");
  const auto after_jack = state_after(*game, {"J"});
  EXPECT_EQ(game->chance_probability(after_jack.data(), 0), core::Rational(2, 11));
  EXPECT_EQ(game->chance_probability(after_jack.data(), 1), core::Rational(3, 11));
  const auto board = state_after(*game, {"J", "J", "check", "check"});
  EXPECT_EQ(game->chance_probability(board.data(), 0), core::Rational(1, 10));
  EXPECT_EQ(game->chance_probability(board.data(), 3), core::Rational(3, 10));
  EXPECT_EQ(situation(*game, {"J", "J", "check", "check", "J", "bet4", "call"}), "terminal: 0");
  // With two cards of a rank, a rank may run out.
  const auto pairs = make_game("leduc(distinct=false)");
  EXPECT_EQ(situation(*pairs, {"Q", "Q", "check", "check"}), "chance: J K");
}

TEST(LeducTest, RefusesWhatItCannotPlay) {
  EXPECT_THROW(make_game("leduc(ranks=2,suits=1)"), core::InputError);
  EXPECT_THROW(make_game("leduc(bets=4:2)"), core::InputError);
  EXPECT_THROW(make_game("leduc(bets=2:2)"), core::InputError);
  EXPECT_THROW(make_game("leduc(bets=1/2/3)"), core::InputError);
  EXPECT_THROW(make_game("leduc(bets=1:2:3:4:5:6:7:8:9)"), core::InputError);
  EXPECT_THROW(make_game("leduc(raises=)"), core::InputError);
  EXPECT_THROW(make_game("leduc(max_raises=13)"), core::InputError);
}

TEST(LeducTest, TheLargestChipsFitTheState) {
  const auto game = make_game("leduc(ranks=13,suits=4,ante=1000000,bets=1000000,max_raises=12)");
  std::vector<std::string> actions = {"As", "Kc"};
  for (const char* board : {"Ah", ""}) {
    actions.insert(actions.end(), {"check", "bet1000000"});
    for (int i = 0; i < 12; ++i) actions.push_back("raise1000000");
    actions.push_back("call");
    if (*board != 0) actions.push_back(board);
  }
  EXPECT_EQ(situation(*game, actions), "terminal: 27000000");
}

TEST(LeducTest, LongestBettingFitsTheState) {
  const auto game = make_game("leduc(bets=1:2:3:4:5:6:7:8,max_raises=12)");
  std::vector<std::string> actions = {"Js", "Qs", "check", "bet8"};
  for (int i = 0; i < 12; ++i) actions.push_back("raise8");
  EXPECT_EQ(situation(*game, actions), "1: Js:cr8r8r8r8r8r8r8r8r8r8r8r8r8: fold call");
  actions.push_back("call");
  actions.push_back("Qh");
  EXPECT_EQ(situation(*game, actions).substr(0, 40), "1: Js:cr8r8r8r8r8r8r8r8r8r8r8r8r8c|Qh:: ");
}

}  // namespace
}  // namespace cleave::games
