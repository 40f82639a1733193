#include "poker/betting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "poker/find_node.h"

namespace cleave::poker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using NodeKind = BettingNode::Kind;

template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

Sizes sizes(std::string_view text) { return parse_sizes(text, "sizes"); }

struct StreetText {
  std::string_view bet;
  std::string_view raise;
};

// Both players alike, pot 200 and stacks of 900, as in the spots that rivals were measured on.
Betting spot(const std::vector<StreetText>& streets) {
  Betting betting;
  betting.pot = 200;
  betting.stack = {900, 900};
  for (const StreetText& text : streets) {
    Betting::Street street;
    for (StreetSizes& player : street.sizes) player = {sizes(text.bet), {}, {sizes(text.raise)}};
    betting.streets.push_back(street);
  }
  return betting;
}

std::vector<std::string> actions_after(const BettingTree& tree, std::string_view line) {
  std::vector<std::string> texts;
  const BettingNode& node = tree.nodes[find_node(tree, line)];
  for (uint32_t i = 0; i < node.num_children; ++i) {
    texts.push_back(to_text(tree.nodes[node.first_child + i].action));
  }
  return texts;
}

std::vector<std::string> actions_after(const Betting& betting, std::string_view line) {
  return actions_after(build_betting_tree(betting), line);
}

// ---- Trees of the fixed spots: the counts that the rival prints ---------------------------------

struct Counts {
  int64_t decisions = 0, folds = 0, showdowns = 0, all_ins = 0, deals = 0;
};

// all_ins: showdowns before the last street.
std::vector<Counts> count(const BettingTree& tree) {
  std::vector<Counts> counts(tree.betting.streets.size());
  for (const BettingNode& node : tree.nodes) {
    Counts& street = counts[node.street];
    const bool last = node.street + 1U == counts.size();
    switch (node.kind) {
      case NodeKind::kDecision:
        ++street.decisions;
        break;
      case NodeKind::kFold:
        ++street.folds;
        break;
      case NodeKind::kShowdown:
        ++(last ? street.showdowns : street.all_ins);
        break;
      case NodeKind::kDeal:
        ++street.deals;
    }
  }
  return counts;
}

TEST(BettingTreeTest, TheRiverSpotHasTheRivalsTree) {
  const auto counts = count(build_betting_tree(spot({{"33%,75%,150%,a", "50%,100%,a"}})));
  EXPECT_EQ(counts[0].decisions, 48);
  EXPECT_EQ(counts[0].folds, 46);
  EXPECT_EQ(counts[0].showdowns, 47);
}

// The rival deals a river card after an all-in too, and has one showdown below it per card.
TEST(BettingTreeTest, TheTurnSpotHasTheRivalsTree) {
  const auto counts =
      count(build_betting_tree(spot({{"33%,75%,a", "50%,a"}, {"33%,75%,a", "50%,a"}})));
  const Counts& turn = counts[0];
  const Counts& river = counts[1];
  constexpr int64_t kRivers = 48;
  EXPECT_EQ(turn.decisions, 24);
  EXPECT_EQ(turn.deals + turn.all_ins, 23);
  EXPECT_EQ(turn.decisions + turn.folds + turn.deals + turn.all_ins, 69);
  EXPECT_EQ(kRivers * river.decisions, 6912);
  EXPECT_EQ(turn.folds + kRivers * river.folds, 5878);
  EXPECT_EQ(kRivers * (river.showdowns + turn.all_ins), 6960);
  EXPECT_EQ(kRivers * (river.decisions + river.folds + river.showdowns + turn.all_ins), 19728);
}

// On Td9d6h clubs and spades are alike: turns are 11 diamonds, 12 hearts and 13 blacks. A diamond
// or heart leaves them alike, so that 35 rivers differ; after a black card all 48 do.
TEST(BettingTreeTest, TheFlopSpotHasTheRivalsTree) {
  const auto counts =
      count(build_betting_tree(spot({{"50%,a", "50%,a"}, {"75%,a", "50%,a"}, {"75%,a", "50%,a"}})));
  const Counts& flop = counts[0];
  const Counts& turn = counts[1];
  const Counts& river = counts[2];
  constexpr int64_t kTurns = 11 + 12 + 13;
  constexpr int64_t kRivers = (11 + 12) * 35 + 13 * 48;
  EXPECT_EQ(flop.decisions, 16);
  EXPECT_EQ(flop.decisions + flop.folds + flop.deals + flop.all_ins, 45);
  EXPECT_EQ(kTurns * turn.decisions, 1584);
  // An all-in on the flop is a chance node on the turn and a showdown on the river.
  EXPECT_EQ(kTurns * (turn.decisions + turn.folds + turn.deals + turn.all_ins + flop.all_ins),
            4284);
  EXPECT_EQ(kRivers * river.decisions, 120036);
  EXPECT_EQ(flop.folds + kTurns * turn.folds + kRivers * river.folds, 78260);
  EXPECT_EQ(kRivers * (river.showdowns + turn.all_ins + flop.all_ins), 141471);
  EXPECT_EQ(flop.deals + flop.all_ins + kTurns * (turn.deals + turn.all_ins + flop.all_ins), 1635);
  EXPECT_EQ(
      kRivers * (river.decisions + river.folds + river.showdowns + turn.all_ins + flop.all_ins),
      338673);
}

// ---- Sizes by hand ------------------------------------------------------------------------------

TEST(SizesTest, ReadAndWrittenBack) {
  for (const char* text : {"", "a", "33%,75%,a", "2.5x,min,any", "e,2e,100", "0.5%,112.5%"}) {
    EXPECT_EQ(to_text(sizes(text)), text);
  }
  EXPECT_EQ(to_text(sizes(" 50% , A ,Min ")), "50%,a,min");
}

TEST(SizesTest, ErrorsNameTheCharacter) {
  const auto error = [](std::string_view text) {
    return error_of([&] { parse_sizes(text, "turn bet"); });
  };
  EXPECT_THAT(error("33%,b"), AllOf(HasSubstr("turn bet: "), HasSubstr("character 5:")));
  EXPECT_THAT(error("33%,"), HasSubstr("character 5:"));
  EXPECT_THAT(error("33% 50%"), HasSubstr("character 5: expected ','"));
  EXPECT_THAT(error("10,33$"), HasSubstr("character 6:"));
  EXPECT_THAT(error("0%"), HasSubstr("from 0.01"));
  EXPECT_THAT(error("-5"), HasSubstr("character 1:"));
  EXPECT_THAT(error("1e300%"), HasSubstr("character 3:"));
  EXPECT_THAT(error("99999999999"), HasSubstr("to 1000000000"));
  EXPECT_THAT(error("1.5"), HasSubstr("whole number of chips"));
  EXPECT_THAT(error("1.5e"), HasSubstr("whole number of streets"));
  EXPECT_THAT(error("1x"), HasSubstr("above 1"));
  EXPECT_THAT(error("5%%"), HasSubstr("character 2:"));
}

TEST(BettingTest, ARaiseIsOfThePotAfterCalling) {
  const Betting betting = spot({{"33%,75%,150%,a", "50%,100%,a"}});
  EXPECT_THAT(actions_after(betting, ""),
              ElementsAre("check", "bet 66", "bet 150", "bet 300", "allin 900"));
  // After the call the pot is 332.
  EXPECT_THAT(actions_after(betting, "bet 66"),
              ElementsAre("fold", "call", "raise 232", "raise 398", "allin 900"));
  EXPECT_THAT(actions_after(betting, "bet 300/raise 700"),
              ElementsAre("fold", "call", "allin 900"));
  EXPECT_THAT(actions_after(betting, "check/allin 900"), ElementsAre("fold", "call"));
}

TEST(BettingTest, ChipsAtANode) {
  const BettingTree tree = build_betting_tree(spot({{"50%", "100%"}}));
  const auto at = [&](std::string_view line) { return tree.nodes[find_node(tree, line)]; };
  EXPECT_EQ(tree.pot(at("bet 100")), 300);
  EXPECT_EQ(tree.behind(at("bet 100"), 0), 800);
  EXPECT_EQ(tree.behind(at("bet 100"), 1), 900);
  EXPECT_DOUBLE_EQ(tree.pot_share(at("bet 100")), 0.5);
  EXPECT_DOUBLE_EQ(tree.pot_share(at("bet 100/raise 500")), 1);  // 400 more into 400
  EXPECT_EQ(tree.pot_share(at("bet 100/call")), 0);
  EXPECT_EQ(tree.pot_share(at("bet 100/fold")), 0);
  EXPECT_EQ(tree.pot_share(at("check")), 0);
}

TEST(BettingTest, SmallSizesAreRaisedToTheMinimum) {
  Betting betting = spot({{"min,1%", "min,1,1.1x"}});
  betting.min_bet = 10;
  betting.streets[0].max_raises = 4;
  const BettingTree tree = build_betting_tree(betting);
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("check", "bet 10"));
  EXPECT_THAT(actions_after(tree, "bet 10"), ElementsAre("fold", "call", "raise 20"));
  betting.streets[0].sizes[1].raise = {sizes("100%")};
  // 10 + 220 is a raise by 220, so the next is at least to 450, then to 670.
  const BettingTree large = build_betting_tree(betting);
  EXPECT_THAT(actions_after(large, "bet 10/raise 230"), ElementsAre("fold", "call", "raise 450"));
  EXPECT_THAT(actions_after(large, "bet 10/raise 230/raise 450"),
              ElementsAre("fold", "call", "allin 900"));
}

TEST(BettingTest, MultiplesChipsAndGeometricSizes) {
  const Betting betting = spot({{"100,e", "3x,150"}, {"e,2e", "e"}, {"e", "a"}});
  const BettingTree tree = build_betting_tree(betting);
  // 200 * 10^(1/3) = 430.9: a bet of 115.4.
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("check", "bet 100", "bet 115"));
  EXPECT_THAT(actions_after(tree, "bet 100"),
              ElementsAre("fold", "call", "raise 250", "raise 300"));
  // Two streets are left: 200 * (10^(1/2) - 1) / 2 = 216.2, and both names are one size.
  EXPECT_THAT(actions_after(tree, "check/check/deal"), ElementsAre("check", "bet 216"));
  EXPECT_THAT(actions_after(tree, "check/check/deal/check/check/deal"),
              ElementsAre("check", "allin 900"));
  EXPECT_THAT(error_of([] {
                build_betting_tree(spot({{"2x", "a"}}));
              }),
              AllOf(HasSubstr("'2x'"), HasSubstr("street 1")));
}

TEST(BettingTest, RaiseLevelsAndTheCap) {
  Betting betting = spot({{"50", "a"}});
  betting.streets[0].sizes[1].raise = {sizes("100"), sizes("50%")};
  betting.streets[0].sizes[0].raise = {sizes("75"), sizes("200")};
  const BettingTree tree = build_betting_tree(betting);
  EXPECT_THAT(actions_after(tree, "bet 50"), ElementsAre("fold", "call", "raise 150"));
  EXPECT_THAT(actions_after(tree, "bet 50/raise 150"), ElementsAre("fold", "call", "raise 350"));
  // The second list stands for all later ones: 350 + 450.
  EXPECT_THAT(actions_after(tree, "bet 50/raise 150/raise 350"),
              ElementsAre("fold", "call", "raise 800"));
  EXPECT_THAT(actions_after(tree, "check/bet 50"), ElementsAre("fold", "call", "raise 125"));
  betting.streets[0].max_raises = 2;
  EXPECT_THAT(actions_after(betting, "bet 50/raise 150"), ElementsAre("fold", "call"));
  betting.streets[0].sizes[1].raise = {};
  EXPECT_THAT(actions_after(betting, "bet 50"), ElementsAre("fold", "call"));
}

TEST(BettingTest, DonkBetsAreIntoTheLastAggressor) {
  Betting betting = spot({{"50", "100"}, {"60", "100"}});
  betting.streets[1].sizes[0].donk = sizes("20");
  betting.streets[1].sizes[1].donk = sizes("30");  // never: in position
  const BettingTree tree = build_betting_tree(betting);
  EXPECT_THAT(actions_after(tree, "check/bet 50/call/deal"), ElementsAre("check", "bet 20"));
  EXPECT_THAT(actions_after(tree, "check/bet 50/call/deal/check"), ElementsAre("check", "bet 60"));
  EXPECT_THAT(actions_after(tree, "bet 50/call/deal"), ElementsAre("check", "bet 60"));
  EXPECT_THAT(actions_after(tree, "bet 50/call/deal/check"), ElementsAre("check", "bet 60"));
  EXPECT_THAT(actions_after(tree, "check/check/deal"), ElementsAre("check", "bet 60"));
  EXPECT_THAT(actions_after(tree, "check/bet 50/raise 150/call/deal"),
              ElementsAre("check", "bet 60"));
  betting.streets[1].sizes[0].donk = Sizes{};
  EXPECT_THAT(actions_after(betting, "check/bet 50/call/deal"), ElementsAre("check"));
}

TEST(BettingTest, Thresholds) {
  Betting betting = spot({{"50%", "50%"}});
  betting.stack = {500, 900};  // 500 behind, 2.5 times the pot
  EXPECT_THAT(actions_after(betting, ""), ElementsAre("check", "bet 100"));
  betting.add_allin = 2.5;
  EXPECT_THAT(actions_after(betting, ""), ElementsAre("check", "bet 100", "allin 500"));
  betting.add_allin = 2.49;
  EXPECT_THAT(actions_after(betting, ""), ElementsAre("check", "bet 100"));
  betting.add_allin = 0;
  // A bet of 100 leaves 400, a pot after the call.
  betting.force_allin = 1;
  EXPECT_THAT(actions_after(betting, ""), ElementsAre("check", "allin 500"));
  betting.force_allin = 0.99;
  EXPECT_THAT(actions_after(betting, ""), ElementsAre("check", "bet 100"));
  EXPECT_THAT(actions_after(betting, "bet 100"), ElementsAre("fold", "call", "allin 500"));

  Betting merged = spot({{"20%,50%,60%,80%,a", ""}});
  EXPECT_THAT(actions_after(merged, ""),
              ElementsAre("check", "bet 40", "bet 100", "bet 120", "bet 160", "allin 900"));
  // Pots 240, 300, 320, 360, 1100: 360 / 320 = 1.125 and 360 / 300 = 1.2 are too close.
  merged.merge = 0.2;
  EXPECT_THAT(actions_after(merged, ""), ElementsAre("check", "bet 40", "bet 160", "allin 900"));
  merged.merge = 0.19;
  EXPECT_THAT(actions_after(merged, ""),
              ElementsAre("check", "bet 40", "bet 100", "bet 160", "allin 900"));
}

// ---- Whole games --------------------------------------------------------------------------------

Definition no_limit(Chips stack, Chips big, Chips small) {
  Definition game;
  game.name = "test";
  game.stack = {stack, stack};
  game.blind = {big, small};
  game.ranks = 13;
  game.suits = 4;
  game.hole_cards = 1;
  game.rounds = {{0, 1, 255, 0}, {1, 0, 255, 0}};
  return game;
}

TEST(MakeBettingTest, TheBigBlindHasItsOption) {
  const BettingTree tree = build_betting_tree(make_betting(no_limit(9, 2, 1)));
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("fold", "call", "raise 4", "raise 5", "raise 6",
                                                   "raise 7", "raise 8", "allin 9"));
  EXPECT_EQ(tree.nodes[0].player, 1);
  EXPECT_THAT(actions_after(tree, "call"), ElementsAre("check", "raise 4", "raise 5", "raise 6",
                                                       "raise 7", "raise 8", "allin 9"));
  EXPECT_THAT(actions_after(tree, "call/check"), ElementsAre("deal"));
  EXPECT_THAT(actions_after(tree, "call/raise 4/call"), ElementsAre("deal"));
  EXPECT_THAT(actions_after(tree, "raise 6"), ElementsAre("fold", "call", "allin 9"));
  EXPECT_THAT(actions_after(tree, "raise 4/call/deal"),
              ElementsAre("check", "bet 2", "bet 3", "bet 4", "allin 5"));
  EXPECT_EQ(tree.nodes[find_node(tree, "call/check/deal")].player, 0);
  const BettingNode& all_in = tree.nodes[find_node(tree, "allin 9/call")];
  EXPECT_EQ(all_in.kind, NodeKind::kShowdown);
  EXPECT_EQ(all_in.street, 0);
  const BettingTree::Payoffs fold = tree.payoffs(find_node(tree, "fold"), 0);
  EXPECT_EQ(fold.win, 1);  // half of the big blind was not called
}

TEST(MakeBettingTest, BlindsCanBeAllIn) {
  Definition game = no_limit(2, 2, 1);
  EXPECT_THAT(actions_after(make_betting(game), ""), ElementsAre("fold", "call"));
  const BettingTree called = build_betting_tree(make_betting(game));
  EXPECT_EQ(called.nodes[find_node(called, "call")].kind, NodeKind::kShowdown);
  game.stack = {5, 1};
  const BettingTree over = build_betting_tree(make_betting(game));
  ASSERT_EQ(over.nodes.size(), 1U);
  EXPECT_EQ(over.nodes[0].kind, NodeKind::kShowdown);
  EXPECT_EQ(over.payoffs(0, 0).win, 1);
}

TEST(MakeBettingTest, LimitGamesHaveOneSizeAndACap) {
  Definition game = no_limit(INT32_MAX, 10, 5);
  game.limit = true;
  game.rounds[0].raise_size = 10;
  game.rounds[0].max_raises = 3;
  game.rounds[1].raise_size = 20;
  game.rounds[1].max_raises = 1;
  BettingTree tree = build_betting_tree(make_betting(game));
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("fold", "call", "raise 20"));
  EXPECT_THAT(actions_after(tree, "call/raise 20/raise 30"),
              ElementsAre("fold", "call", "raise 40"));
  EXPECT_THAT(actions_after(tree, "call/raise 20/raise 30/raise 40"), ElementsAre("fold", "call"));
  EXPECT_THAT(actions_after(tree, "call/check/deal/bet 20"), ElementsAre("fold", "call"));
  game.stack = {25, 25};
  tree = build_betting_tree(make_betting(game));
  EXPECT_THAT(actions_after(tree, "raise 20"), ElementsAre("fold", "call", "allin 25"));
  EXPECT_THAT(error_of([&] { make_betting(game, sizes("a")); }), HasSubstr("limit game"));
}

TEST(MakeBettingTest, SizesOfANoLimitGame) {
  const Betting betting = make_betting(no_limit(200, 2, 1), sizes("2.5x,100%"));
  const BettingTree tree = build_betting_tree(betting);
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("fold", "call", "raise 5", "raise 6"));
  EXPECT_THAT(actions_after(tree, "raise 5/call/deal"), ElementsAre("check", "bet 10"));
  EXPECT_THAT(actions_after(tree, "raise 5/call/deal/bet 10"),
              ElementsAre("fold", "call", "raise 25", "raise 40"));
}

TEST(MakeBettingTest, EqualBlindsAreAntes) {
  const Betting betting = make_betting(no_limit(5, 1, 1));
  EXPECT_EQ(betting.pot, 2);
  EXPECT_EQ(betting.committed, (std::array<Chips, 2>{0, 0}));
  EXPECT_THAT(actions_after(betting, ""),
              ElementsAre("check", "bet 1", "bet 2", "bet 3", "allin 4"));
}

// ---- Payoffs ------------------------------------------------------------------------------------

TEST(PayoffsTest, RakeIsTakenFromTheWinnerAfterUncalledChipsAreReturned) {
  Betting betting = spot({{"75", "225,a"}});
  const auto payoffs = [&](std::string_view line, int player) {
    const BettingTree tree = build_betting_tree(betting);
    return tree.payoffs(find_node(tree, line), player);
  };
  EXPECT_EQ(payoffs("bet 75/call", 0).win, 175);
  EXPECT_EQ(payoffs("bet 75/call", 0).lose, -175);
  EXPECT_EQ(payoffs("bet 75/call", 1).tie, 0);
  EXPECT_EQ(payoffs("bet 75/fold", 0).win, 100);
  EXPECT_EQ(payoffs("bet 75/fold", 1).win, -100);
  EXPECT_EQ(payoffs("bet 75/raise 300/fold", 1).tie, 175);

  betting.rake = 0.1;  // of 350; of 200 after a fold
  EXPECT_DOUBLE_EQ(payoffs("bet 75/call", 0).win, 140);
  EXPECT_DOUBLE_EQ(payoffs("bet 75/call", 0).lose, -175);
  EXPECT_DOUBLE_EQ(payoffs("bet 75/call", 0).tie, -17.5);
  EXPECT_DOUBLE_EQ(payoffs("bet 75/fold", 0).win, 80);
  EXPECT_DOUBLE_EQ(payoffs("bet 75/fold", 1).win, -100);
  betting.rake_cap = 30;
  EXPECT_DOUBLE_EQ(payoffs("bet 75/call", 0).win, 145);
  EXPECT_DOUBLE_EQ(payoffs("bet 75/fold", 0).win, 80);
}

// ---- Lines --------------------------------------------------------------------------------------

TEST(RemovedTest, TheLastActionOfALineIsTakenOut) {
  const Betting betting = spot({{"50%,a", "50%,a"}, {"50%,a", "50%,a"}});
  const auto built = [&](std::vector<std::string> removed) {
    return build_betting_tree(betting, {.removed = std::move(removed)});
  };
  const BettingTree tree = built({"check/bet 100", " check / allin 900",
                                  "bet 100/call/deal/allin 800", "bet 100/fold", "check/bet 100"});
  EXPECT_THAT(actions_after(tree, ""), ElementsAre("check", "bet 100", "allin 900"));
  EXPECT_THAT(actions_after(tree, "check"), ElementsAre("check"));
  EXPECT_THAT(actions_after(tree, "bet 100"), ElementsAre("call", "raise 300", "allin 900"));
  EXPECT_THAT(actions_after(tree, "bet 100/call/deal"), ElementsAre("check", "bet 200"));
  EXPECT_THAT(actions_after(tree, "check/check/deal"),
              ElementsAre("check", "bet 100", "allin 900"));
  EXPECT_LT(tree.nodes.size(), build_betting_tree(betting).nodes.size());

  const auto error = [&](std::vector<std::string> removed) {
    return error_of([&] { built(std::move(removed)); });
  };
  EXPECT_THAT(error({"check/bet 99"}),
              AllOf(HasSubstr("'check/bet 99'"), HasSubstr("after 'check'"),
                    HasSubstr("there are check, bet 100, allin 900")));
  EXPECT_THAT(error({"bet 100/fold/check"}), HasSubstr("play has ended"));
  EXPECT_THAT(error({"check/check/call"}), HasSubstr("there are deal"));
  EXPECT_THAT(error({"check/check/deal"}), HasSubstr("no other action"));
  EXPECT_THAT(error({"allin 900/fold", "allin 900/call"}), HasSubstr("no other action"));
  EXPECT_THAT(error({"bet 100", "bet 100/fold"}), HasSubstr("there are check, allin 900"));
  EXPECT_THAT(error({" "}), HasSubstr("must have an action"));
  EXPECT_THAT(error({"check/"}), HasSubstr("no action ''"));
}

TEST(LinesTest, WrongLinesNameWhatIsThere) {
  const BettingTree tree = build_betting_tree(spot({{"50%", "50%"}}));
  EXPECT_EQ(find_node(tree, ""), 0U);
  EXPECT_EQ(line_of(tree, 0), "");
  EXPECT_EQ(line_of(tree, find_node(tree, " check/ bet 100 /fold")), "check/bet 100/fold");
  const auto error = [&](const char* line) {
    return error_of([&] { build_betting_tree(tree.betting, {.removed = {line}}); });
  };
  EXPECT_THAT(error("call"),
              AllOf(HasSubstr("at the beginning"), HasSubstr("there are check, bet 100")));
  EXPECT_THAT(error("check/check/deal"), HasSubstr("play has ended"));
}

TEST(BettingTest, TreesThatAreTooLargeAreRefused) {
  const Betting betting = spot({{"50%,a", "50%,a"}, {"50%,a", "50%,a"}});
  const size_t nodes = build_betting_tree(betting).nodes.size();
  EXPECT_EQ(build_betting_tree(betting, {.max_nodes = nodes}).nodes.size(), nodes);
  EXPECT_THAT(error_of([&] { build_betting_tree(betting, {.max_nodes = nodes - 1}); }),
              HasSubstr(std::to_string(nodes - 1) + " nodes"));
  Betting deep = spot({{"any", "any"}});
  deep.stack = {100'000, 100'000};
  EXPECT_THAT(error_of([&] { build_betting_tree(deep); }), HasSubstr("100000 sizes"));
  deep.pot = -1;
  EXPECT_THAT(error_of([&] { build_betting_tree(deep); }), HasSubstr("pot"));
}

// ---- Random betting -----------------------------------------------------------------------------

Sizes random_sizes(core::Random& random, bool bet) {
  const std::array<const char*, 9> texts = {"33%", "75%", "140%", "12",  "e",
                                            "2e",  "a",   "min",  "2.5x"};
  Sizes result;
  const uint64_t count = random.below(3) + 1;
  for (uint64_t i = 0; i < count; ++i) {
    const Size size = sizes(texts[random.below(texts.size() - (bet ? 1 : 0))])[0];
    result.push_back(size);
  }
  return result;
}

Betting random_betting(core::Random& random) {
  Betting betting;
  betting.pot = static_cast<Chips>(random.below(100));
  for (Chips& stack : betting.stack) stack = static_cast<Chips>(10 + random.below(200));
  betting.min_bet = static_cast<Chips>(1 + random.below(10));
  if (random.below(3) == 0) betting.committed = {betting.min_bet, betting.min_bet / 2};
  if (random.below(3) == 0) betting.rake = 0.05;
  if (random.below(2) == 0) betting.rake_cap = 3;
  if (random.below(4) == 0) betting.add_allin = 1.5;
  if (random.below(4) == 0) betting.force_allin = 0.3;
  if (random.below(4) == 0) betting.merge = 0.2;
  const uint64_t streets = 1 + random.below(3);
  for (uint64_t s = 0; s < streets; ++s) {
    Betting::Street street;
    street.first_player = static_cast<int>(random.below(2));
    street.max_raises = static_cast<int>(random.below(5));
    if (random.below(5) == 0) street.fixed_raise = static_cast<Chips>(betting.min_bet);
    for (StreetSizes& player : street.sizes) {
      player.bet = random_sizes(random, true);
      if (random.below(2) == 0) player.donk = random_sizes(random, true);
      for (uint64_t i = random.below(3); i > 0; --i) {
        player.raise.push_back(random_sizes(random, false));
      }
    }
    betting.streets.push_back(street);
  }
  return betting;
}

// The rules from the outside: replays a node's path with nothing but the actions' numbers.
struct Replay {
  std::array<Chips, 2> put;
  Chips base = 0;
  Chips last_raise;
};

Replay replay(const BettingTree& tree, uint32_t node) {
  if (node == 0) return {tree.nodes[0].put, 0, tree.betting.min_bet};
  const BettingNode& here = tree.nodes[node];
  const BettingNode& parent = tree.nodes[here.parent];
  Replay before = replay(tree, here.parent);
  Chips& mine = before.put[parent.player];
  const Chips theirs = before.put[1 - parent.player];
  switch (here.action.kind) {
    case Action::Kind::kDeal:
      return {before.put, before.put[0], tree.betting.min_bet};
    case Action::Kind::kFold:
      EXPECT_LT(mine, theirs);
      break;
    case Action::Kind::kCheck:
      EXPECT_GE(mine, theirs);
      break;
    case Action::Kind::kCall:
      EXPECT_LT(mine, theirs);
      mine = theirs;
      break;
    default: {
      const Chips facing = std::max(mine, theirs);
      const Chips all_in = std::min(tree.betting.stack[0], tree.betting.stack[1]);
      mine = before.base + here.action.to;
      EXPECT_GT(mine, facing);
      EXPECT_EQ(mine == all_in, here.action.kind == Action::Kind::kAllIn);
      if (mine < all_in) {
        EXPECT_GE(mine - facing, before.last_raise) << line_of(tree, node);
        EXPECT_EQ(facing > before.base, here.action.kind == Action::Kind::kRaise);
      }
      before.last_raise = std::max(before.last_raise, mine - facing);
    }
  }
  return before;
}

void check_node(const BettingTree& tree, uint32_t id) {
  const BettingNode& node = tree.nodes[id];
  const Replay now = replay(tree, id);
  EXPECT_EQ(node.put, now.put);
  const Chips all_in = std::min(tree.betting.stack[0], tree.betting.stack[1]);
  EXPECT_LE(std::max(node.put[0], node.put[1]), all_in);
  const bool ends = node.kind == NodeKind::kFold || node.kind == NodeKind::kShowdown;
  EXPECT_EQ(node.num_children == 0, ends);
  if (node.kind == NodeKind::kDeal || node.kind == NodeKind::kShowdown) {
    EXPECT_EQ(node.put[0], node.put[1]);
  }
  for (uint32_t i = 0; i < node.num_children; ++i) {
    const BettingNode& child = tree.nodes[node.first_child + i];
    EXPECT_EQ(child.parent, id);
    EXPECT_GT(node.first_child, id);
    EXPECT_EQ(child.street, node.street + (node.kind == NodeKind::kDeal ? 1 : 0));
    if (i == 0) continue;
    const Action& before = tree.nodes[node.first_child + i - 1].action;
    EXPECT_TRUE(before.kind < child.action.kind || before.to < child.action.to);
  }
  if (!ends) return;
  const auto first = tree.payoffs(id, 0);
  const auto second = tree.payoffs(id, 1);
  const double pot = static_cast<double>(tree.betting.pot + 2 * std::min(node.put[0], node.put[1]));
  double rake = tree.betting.rake * pot;
  if (tree.betting.rake_cap > 0) rake = std::min(rake, 3.0);
  const bool fold = node.kind == NodeKind::kFold;
  EXPECT_NEAR(first.win + (fold ? second.win : second.lose), -rake, 1e-12 * pot);
  EXPECT_NEAR(first.lose + (fold ? second.lose : second.win), -rake, 1e-12 * pot);
  EXPECT_NEAR(first.tie + second.tie, -rake, 1e-12 * pot);
}

TEST(BettingPropertyTest, RandomTreesKeepTheRules) {
  core::Random random(4);
  size_t most = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const BettingTree tree = build_betting_tree(random_betting(random));
    most = std::max(most, tree.nodes.size());
    const auto size = static_cast<uint32_t>(tree.nodes.size());
    for (uint32_t id = 0; id < size && id < 500; ++id) check_node(tree, id);
    for (uint32_t id = size > 500 ? size - 100 : 0; id < size; ++id) check_node(tree, id);
    const auto some = static_cast<uint32_t>(random.below(size));
    EXPECT_EQ(find_node(tree, line_of(tree, some)), some);
    EXPECT_TRUE(std::is_sorted(
        tree.nodes.begin(), tree.nodes.end(),
        [](const BettingNode& a, const BettingNode& b) { return a.street < b.street; }));
    if (testing::Test::HasFailure()) FAIL() << "trial " << trial;
  }
  EXPECT_GT(most, 500U);
}

// Taking out a random line takes out just what is below it.
TEST(BettingPropertyTest, ARemovedLineTakesItsSubtreeWithIt) {
  core::Random random(5);
  int removed = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Betting betting = random_betting(random);
    const BettingTree tree = build_betting_tree(betting);
    const auto node = static_cast<uint32_t>(random.below(tree.nodes.size()));
    if (node == 0 || tree.nodes[tree.nodes[node].parent].num_children < 2) continue;
    const BettingTree less = build_betting_tree(betting, {.removed = {line_of(tree, node)}});
    std::vector<bool> below(tree.nodes.size(), false);
    std::set<std::string> expected;
    for (uint32_t id = 0; id < tree.nodes.size(); ++id) {
      below[id] = id == node || (id != 0 && below[tree.nodes[id].parent]);
      if (!below[id]) expected.insert(line_of(tree, id));
    }
    std::set<std::string> found;
    for (uint32_t id = 0; id < less.nodes.size(); ++id) found.insert(line_of(less, id));
    EXPECT_EQ(found, expected) << line_of(tree, node);
    ++removed;
  }
  EXPECT_GT(removed, 30);
}

}  // namespace
}  // namespace cleave::poker
