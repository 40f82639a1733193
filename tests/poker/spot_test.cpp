#include "poker/spot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "source_path.h"

namespace cleave::poker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

// Lines 1 to 9 with the sizes; what a test adds begins at line 10.
constexpr std::string_view kHead = R"(board = "Td9d6h"
pot = 200
stack = 900
[range]
oop = "AA,KK"
ip = "QQ-22"
)";
constexpr std::string_view kSizes = "[sizes]\nbet = \"50%,a\"\nraise = \"50%,a\"\n";
const std::string kBase = std::string(kHead) + std::string(kSizes);

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    parse_spot(text, "a.toml");
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}
std::string error_with(std::string_view from, std::string_view to) {
  return error_of(replaced(kBase, from, to));
}

Sizes sizes(std::string_view text) { return parse_sizes(text, "test"); }

void expect_same_street(const Betting::Street& a, const Betting::Street& b) {
  EXPECT_EQ(a.first_player, b.first_player);
  EXPECT_EQ(a.max_raises, b.max_raises);
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(a.sizes[p].bet, b.sizes[p].bet);
    EXPECT_EQ(a.sizes[p].donk, b.sizes[p].donk);
    EXPECT_EQ(a.sizes[p].raise, b.sizes[p].raise);
  }
}

void expect_same(const Spot& a, const Spot& b) {
  EXPECT_EQ(a.board, b.board);
  EXPECT_EQ(a.ranges, b.ranges);
  EXPECT_EQ(a.removed, b.removed);
  EXPECT_EQ(a.symmetry, b.symmetry);
  EXPECT_EQ(a.betting.pot, b.betting.pot);
  EXPECT_EQ(a.betting.stack, b.betting.stack);
  EXPECT_EQ(a.betting.min_bet, b.betting.min_bet);
  EXPECT_EQ(a.betting.add_allin, b.betting.add_allin);
  EXPECT_EQ(a.betting.force_allin, b.betting.force_allin);
  EXPECT_EQ(a.betting.merge, b.betting.merge);
  EXPECT_EQ(a.betting.rake, b.betting.rake);
  EXPECT_EQ(a.betting.rake_cap, b.betting.rake_cap);
  ASSERT_EQ(a.betting.streets.size(), b.betting.streets.size());
  for (size_t s = 0; s < a.betting.streets.size(); ++s) {
    expect_same_street(a.betting.streets[s], b.betting.streets[s]);
  }
  ASSERT_EQ(a.locks.size(), b.locks.size());
  for (size_t i = 0; i < a.locks.size(); ++i) {
    EXPECT_EQ(a.locks[i].node, b.locks[i].node);
    ASSERT_EQ(a.locks[i].parts.size(), b.locks[i].parts.size());
    for (size_t j = 0; j < a.locks[i].parts.size(); ++j) {
      EXPECT_EQ(a.locks[i].parts[j].hands, b.locks[i].parts[j].hands);
      EXPECT_EQ(a.locks[i].parts[j].frequencies, b.locks[i].parts[j].frequencies);
    }
  }
}

constexpr std::string_view kEverything = R"(
board = "Td 9d 6h Qc"
pot = 201
stack = [900, 700]
range.oop = """66+:0.5,
AhKh, 72o:0.123456"""
range.ip = "random"
[sizes]
bet = "33%"
ip.raise = ["2.5x,a", "1.8x", ""]
raise = ""
max_raises = 5
[flop]
bet = "50%"
[turn]
oop.bet = "e,a"
max_raises = 3
donk = "40"
[river]
bet = "min,2e"
ip.bet = "any"
oop.donk = ""
oop.raise = "100%"
[rake]
percent = 4.7
cap = 35
[tree]
add_allin = "150%"
force_allin = 0.2
merge = "12.5%"
min_bet = 10
remove = ["check / bet 66", "bet 40/call/deal/bet 100"]
symmetry = false
[[lock]]
node = "check"
strategy = { "bet 66" = 0.7, check = 0.3 }
[[lock]]
node = " check/check / 2c"
hands = "AA"
strategy = "check"
[[lock]]
node = "check"
hands = "AhKh,QQ:0.3"
strategy = { "bet 66" = 0.333, check = 0.333, "allin 700" = 0.333 }
)";

TEST(SpotTest, ReadsEveryKey) {
  const Spot spot = parse_spot(kEverything, "folder/my.spot.toml");
  EXPECT_EQ(spot.name, "my.spot");
  EXPECT_EQ(spot.board, parse_cards("Td9d6hQc", ""));
  EXPECT_STREQ(spot.street_name(0), "turn");
  EXPECT_STREQ(spot.street_name(1), "river");
  EXPECT_EQ(spot.ranges[0], parse_range("66+:0.5,AhKh,72o:0.123456"));
  EXPECT_EQ(spot.ranges[1], parse_range("100%"));
  const Betting& betting = spot.betting;
  EXPECT_EQ(betting.pot, 201);
  EXPECT_THAT(betting.stack, ElementsAre(900, 700));
  EXPECT_THAT(betting.committed, ElementsAre(0, 0));
  EXPECT_EQ(betting.rake, 0.047);
  EXPECT_EQ(betting.rake_cap, 35);
  EXPECT_EQ(betting.add_allin, 1.5);
  EXPECT_EQ(betting.force_allin, 0.2);
  EXPECT_EQ(betting.merge, 0.125);
  EXPECT_EQ(betting.min_bet, 10);
  EXPECT_FALSE(spot.symmetry);
  EXPECT_THAT(spot.removed, ElementsAre("check/bet 66", "bet 40/call/deal/bet 100"));

  ASSERT_EQ(betting.streets.size(), 2u);
  const auto& [turn, river] = std::tie(betting.streets[0], betting.streets[1]);
  EXPECT_EQ(turn.max_raises, 3);
  EXPECT_EQ(river.max_raises, 5);
  EXPECT_EQ(turn.sizes[0].bet, sizes("e,a"));
  EXPECT_EQ(turn.sizes[1].bet, sizes("33%"));
  EXPECT_EQ(turn.sizes[0].donk, sizes("40"));
  EXPECT_EQ(turn.sizes[1].donk, std::nullopt);
  EXPECT_THAT(turn.sizes[0].raise, IsEmpty());
  EXPECT_THAT(turn.sizes[1].raise, ElementsAre(sizes("2.5x,a"), sizes("1.8x"), Sizes{}));
  EXPECT_EQ(river.sizes[0].bet, sizes("min,2e"));
  EXPECT_EQ(river.sizes[1].bet, sizes("any"));
  EXPECT_EQ(river.sizes[0].donk, Sizes{});
  EXPECT_THAT(river.sizes[0].raise, ElementsAre(sizes("100%")));
}

TEST(SpotTest, ReadsLocks) {
  const Spot spot = parse_spot(kEverything, "a.toml");
  ASSERT_EQ(spot.locks.size(), 2u);
  const Lock& check = spot.locks[0];
  EXPECT_EQ(check.node, "check");
  EXPECT_EQ(check.where, "a.toml:35");
  ASSERT_EQ(check.parts.size(), 2u);
  EXPECT_EQ(check.parts[0].hands, parse_range("100%"));
  EXPECT_THAT(check.parts[0].frequencies, ElementsAre(Pair("bet 66", 0.7), Pair("check", 0.3)));
  EXPECT_EQ(check.parts[1].hands, parse_range("AhKh,QQ:0.3"));
  EXPECT_THAT(check.parts[1].frequencies,
              ElementsAre(Pair("bet 66", testing::DoubleEq(1.0 / 3)),
                          Pair("check", testing::DoubleEq(1.0 / 3)),
                          Pair("allin 700", testing::DoubleEq(1.0 / 3))));
  EXPECT_EQ(spot.locks[1].node, "check/check/2c");
  EXPECT_THAT(spot.locks[1].parts[0].frequencies, ElementsAre(Pair("check", 1)));
}

TEST(SpotTest, WrittenSpotsReadBackTheSame) {
  for (const std::string& text : {std::string(kEverything), kBase}) {
    const Spot spot = parse_spot(text, "a.toml");
    const std::string written = to_text(spot);
    expect_same(parse_spot(written, "b.toml"), spot);
    EXPECT_EQ(to_text(parse_spot(written, "b.toml")), written);
  }
  for (int tenths = 0; tenths <= 1000; tenths += 13) {
    Spot spot = parse_spot(kBase, "a.toml");
    spot.betting.rake = tenths / 10.0 / 100;
    EXPECT_EQ(parse_spot(to_text(spot), "b.toml").betting.rake, spot.betting.rake) << tenths;
  }
}

TEST(SpotTest, FewKeysAreNeeded) {
  const Spot spot = parse_spot(kBase, "a.toml");
  EXPECT_EQ(spot.name, "a");
  EXPECT_TRUE(spot.symmetry);
  EXPECT_THAT(spot.locks, IsEmpty());
  EXPECT_THAT(spot.removed, IsEmpty());
  EXPECT_EQ(spot.betting.rake, 0);
  EXPECT_EQ(spot.betting.min_bet, 1);
  EXPECT_THAT(spot.betting.stack, ElementsAre(900, 900));
  ASSERT_EQ(spot.betting.streets.size(), 3u);
  for (const Betting::Street& street : spot.betting.streets) {
    EXPECT_EQ(street.first_player, 0);
    EXPECT_EQ(street.max_raises, 255);
    for (const StreetSizes& s : street.sizes) {
      EXPECT_EQ(s.bet, sizes("50%,a"));
      EXPECT_EQ(s.donk, std::nullopt);
      EXPECT_THAT(s.raise, ElementsAre(sizes("50%,a")));
    }
  }
}

TEST(SpotTest, TheSameFileWithALongerBoard) {
  const std::string text = std::string(kHead) +
                           "[flop]\nbet = \"890\"\nraise = \"a\"\n[turn]\nbet = \"50\"\n"
                           "raise = \"a\"\n[river]\nbet = \"60\"\nraise = \"a\"\n";
  EXPECT_EQ(parse_spot(text, "a").betting.streets.size(), 3u);
  const std::string river = replaced(text, "6h", "6h2s3s");
  const Spot spot = parse_spot(replaced(river, "900", "100"), "a");  // 890 is of no account now
  ASSERT_EQ(spot.betting.streets.size(), 1u);
  EXPECT_EQ(spot.betting.streets[0].sizes[0].bet, sizes("60"));
  EXPECT_STREQ(spot.street_name(0), "river");
  // But what is written there must be sizes.
  EXPECT_THAT(error_of(replaced(river, "890", "x")), StartsWith("a.toml:8: flop.bet: "));
}

TEST(SpotTest, Board) {
  EXPECT_THAT(error_with("Td9d6h", "Td9dTd"), StartsWith("a.toml:1: board: character 5"));
  EXPECT_THAT(error_with("Td9d6h", "Td9d6x"), StartsWith("a.toml:1: board: character 6"));
  EXPECT_EQ(error_with("Td9d6h", "Td9d"),
            "a.toml:1: board has 2 cards; allowed are 3 (flop), 4 (turn) or 5 (river)");
  EXPECT_THAT(error_with("Td9d6h", "Td9d6h2c3c4c"), HasSubstr("board has 6 cards"));
  EXPECT_THAT(error_with("Td9d6h", ""), HasSubstr("board has 0 cards"));
  EXPECT_EQ(error_with("board = \"Td9d6h\"", ""),
            "a.toml:1: there is no 'board'; write board = \"Td9d6h\"");
  EXPECT_THAT(error_with("\"Td9d6h\"", "7"),
              StartsWith("a.toml:1: board is a number; allowed is a text in quotes"));
}

TEST(SpotTest, PotAndStack) {
  EXPECT_EQ(error_with("pot = 200", "pot = 0"),
            "a.toml:2: pot is 0; allowed is a whole number from 1 to 1000000000000");
  EXPECT_THAT(error_with("pot = 200", "pot = -200"), StartsWith("a.toml:2: pot is -200; allowed"));
  EXPECT_EQ(error_with("pot = 200", "pot = 6.5"),
            "a.toml:2: pot is 6.5; chips are whole numbers: count everything in smaller chips "
            "(10 or 100 to each of yours)");
  EXPECT_THAT(error_with("pot = 200", "pot = \"200\""),
              StartsWith("a.toml:2: pot is a text; allowed is a whole number"));
  EXPECT_THAT(error_with("pot = 200", ""), HasSubstr("there is no 'pot'; write pot = 200"));
  EXPECT_THAT(error_with("stack = 900", "stack = 0"), StartsWith("a.toml:3: stack is 0; allowed"));
  EXPECT_THAT(error_with("stack = 900", "stack = [900, -1]"),
              StartsWith("a.toml:3: stack is -1; allowed"));
  EXPECT_THAT(error_with("stack = 900", "stack = [900]"),
              StartsWith("a.toml:3: stack has 1 numbers; allowed is one"));
  EXPECT_THAT(error_with("stack = 900", ""), HasSubstr("there is no 'stack'"));
  EXPECT_THAT(error_with("stack = 900", "stack = 9999999999999"), HasSubstr("allowed is a whole"));
}

TEST(SpotTest, Ranges) {
  EXPECT_THAT(error_with("AA,KK", "AA,KX"),
              StartsWith("a.toml:5: range.oop: character 5 is 'X'; allowed is"));
  EXPECT_EQ(error_with("AA,KK", "Td9d,TdAh"),
            "a.toml:5: range.oop has no hand that goes with the board Td9d6h");
  EXPECT_THAT(error_with("QQ-22", ""), StartsWith("a.toml:6: range.ip has no hand"));
  EXPECT_THAT(error_with("QQ-22", "QQ:0"), StartsWith("a.toml:6: range.ip has no hand"));
  EXPECT_THAT(error_of(replaced(replaced(kBase, "AA,KK", "AhAs,AhKh"), "QQ-22", "AhQh")),
              StartsWith("a.toml:4: every hand of range.oop shares a card with every hand"));
  EXPECT_THAT(error_with("oop = \"AA,KK\"", ""),
              StartsWith("a.toml:4: there is no 'oop' in [range]; write oop = "));
  EXPECT_THAT(error_with("oop = \"AA,KK\"", "oop = [\"AA\"]"),
              StartsWith("a.toml:5: range.oop is a list; allowed is a text"));
}

TEST(SpotTest, SizesMustBeThere) {
  EXPECT_EQ(error_of(std::string(kHead)),
            "a.toml:1: no bet sizes for oop on the flop; write [flop] bet = \"33%,75%,a\" "
            "(\"\" for none)");
  EXPECT_THAT(error_with("raise = \"50%,a\"", ""),
              StartsWith("a.toml:1: no raise sizes for oop on the flop"));
  EXPECT_THAT(error_with("raise = \"50%,a\"", "oop.raise = \"\"\n[river]\nraise = \"\""),
              StartsWith("a.toml:1: no raise sizes for ip on the flop"));
  EXPECT_EQ(error_with("raise = \"50%,a\"", "raise = \"\""), "no error");
}

TEST(SpotTest, SizesThatCannotBe) {
  const auto error = [](std::string_view to) { return error_with("bet = \"50%,a\"", to); };
  EXPECT_THAT(error("bet = \"50%,b\""), StartsWith("a.toml:8: sizes.bet: "));
  EXPECT_THAT(error("bet = 50"), StartsWith("a.toml:8: sizes.bet is a number; allowed is a text"));
  EXPECT_EQ(error("bet = \"1000\""),
            "a.toml:8: sizes.bet: 1000 chips are more than the stack; allowed are 1 to 900, or a "
            "for all-in");
  EXPECT_THAT(error("bet = \"3x\""), StartsWith("a.toml:8: sizes.bet: 3x is a multiple of a bet"));
  EXPECT_THAT(error_of(replaced(kBase, "50%", "5") + "[tree]\nmin_bet = 10\n"),
              StartsWith("a.toml:8: sizes.bet: 5 chips are below the minimum bet; allowed are 10"));
  EXPECT_THAT(error_with("raise = \"50%", "raise = \"1.5x"),
              StartsWith("a.toml:9: sizes.raise: 1.5x is below the minimum raise; allowed is 2x"));
  EXPECT_THAT(error_of(replaced(kBase, "raise = \"50%", "raise = \"5") + "[tree]\nmin_bet = 10\n"),
              StartsWith("a.toml:9: sizes.raise: 5 chips are below the minimum raise"));
  EXPECT_THAT(error_with("raise = \"50%,a\"", "raise = [\"a\", 3]"),
              StartsWith("a.toml:9: sizes.raise has a number in its list"));
  EXPECT_THAT(error("bet = \"a\"\nmax_raises = -1"),
              StartsWith("a.toml:9: sizes.max_raises is -1"));
}

TEST(SpotTest, UnknownKeys) {
  EXPECT_EQ(error_with("board = ", "bord = "),
            "a.toml:1: unknown key 'bord'; did you mean 'board'? Allowed are board, pot, stack, "
            "range, sizes, flop, turn, river, rake, tree, lock");
  EXPECT_EQ(
      error_with("raise = ", "rise = "),
      "a.toml:9: unknown key 'rise' in [sizes]; did you mean 'raise'? Allowed are bet, raise, "
      "donk, oop, ip, max_raises");
  EXPECT_EQ(error_with("raise = ", "ip.donk = "),
            "a.toml:9: unknown key 'donk' in [sizes.ip]; allowed are bet, raise");
  EXPECT_THAT(error_with("oop = ", "oop_range = "),
              StartsWith("a.toml:5: unknown key 'oop_range' in [range]; allowed are oop, ip"));
  EXPECT_THAT(error_of(kBase + "[tree]\nmerging = 1\n"),
              StartsWith("a.toml:11: unknown key 'merging' in [tree]; "));
  EXPECT_THAT(error_of(kBase + "[rake]\npercent = 5\nlimit = 1\n"),
              StartsWith("a.toml:12: unknown key 'limit' in [rake]; allowed are percent, cap"));
  EXPECT_THAT(error_of(kBase + "[river]\nbets = \"a\"\n"),
              StartsWith("a.toml:11: unknown key 'bets' in [river]; did you mean 'bet'?"));
}

TEST(SpotTest, RakeAndTree) {
  const auto error = [](std::string_view text) { return error_of(kBase + std::string(text)); };
  EXPECT_THAT(error("[rake]\npercent = 101\n"),
              StartsWith("a.toml:11: rake.percent is 101; allowed is a number from 0 to 100"));
  EXPECT_THAT(error("[rake]\ncap = 3\n"), StartsWith("a.toml:10: there is no 'percent' in [rake]"));
  EXPECT_THAT(error("[rake]\npercent = 5\ncap = -3\n"), StartsWith("a.toml:12: rake.cap is -3"));
  EXPECT_THAT(error("[rake]\npercent = nan\n"), StartsWith("a.toml:11: rake.percent is nan"));
  EXPECT_THAT(
      error("[tree]\nadd_allin = 150\n"),
      StartsWith("a.toml:11: tree.add_allin is 150; allowed is a part of the pot, \"20%\""));
  EXPECT_THAT(error("[tree]\nmerge = \"ten\"\n"), StartsWith("a.toml:11: tree.merge is 'ten'"));
  EXPECT_THAT(error("[tree]\nmerge = -0.1\n"), StartsWith("a.toml:11: tree.merge is -0.1"));
  EXPECT_THAT(error("[tree]\nmin_bet = 901\n"),
              StartsWith("a.toml:11: tree.min_bet is 901, more than the stack of 900"));
  EXPECT_THAT(error("[tree]\nsymmetry = 1\n"),
              StartsWith("a.toml:11: tree.symmetry is a number; allowed is true or false"));
  EXPECT_THAT(error("[tree]\nremove = \"bet 100\"\n"),
              StartsWith("a.toml:11: tree.remove is a text; allowed is a list"));
  EXPECT_THAT(error("[tree]\nremove = [\"check/bat 100\"]\n"),
              StartsWith("a.toml:11: tree.remove: 'bat 100' in 'check/bat 100' is no action; "));
  EXPECT_THAT(error("[tree]\nremove = [\"\"]\n"),
              StartsWith("a.toml:11: tree.remove has an empty"));
  EXPECT_THAT(error("tree = 3\n"), HasSubstr("unknown key 'tree' in [sizes]"));
  EXPECT_THAT(error_of("tree = 3\n" + kBase), StartsWith("a.toml:1: tree is a number; allowed is"));
}

TEST(SpotTest, Locks) {
  const auto error = [](std::string_view text) {
    return error_of(kBase + "[[lock]]\n" + std::string(text));
  };
  EXPECT_THAT(error("node = \"\"\nstrategy = { check = 0.3, \"bet 100\" = 0.6 }\n"),
              StartsWith("a.toml:12: lock.strategy: the frequencies sum to 0.9; they must sum to"));
  EXPECT_THAT(error("node = \"\"\nstrategy = { }\n"), HasSubstr("the frequencies sum to 0"));
  EXPECT_THAT(error("node = \"\"\nstrategy = { check = 1.5, \"bet 100\" = -0.5 }\n"),
              StartsWith("a.toml:12: a frequency of lock.strategy is 1.5; allowed is"));
  EXPECT_THAT(error("node = \"\"\nstrategy = { chek = 1 }\n"),
              StartsWith("a.toml:12: lock.strategy: 'chek' is no action; allowed are fold, check"));
  EXPECT_THAT(error("node = \"\"\nstrategy = { check = 0.5, \"check \" = 0.5 }\n"),
              HasSubstr("'check' is there twice"));
  EXPECT_THAT(error("node = \"\"\nstrategy = 3\n"), HasSubstr("must say how often"));
  EXPECT_THAT(error("strategy = \"check\"\n"),
              StartsWith("a.toml:10: there is no 'node' in [lock]; write node = "));
  EXPECT_THAT(error("node = \"\"\n"), StartsWith("a.toml:10: there is no 'strategy' in [lock]"));
  EXPECT_THAT(error("node = \"deal\"\nstrategy = \"check\"\n"),
              StartsWith("a.toml:11: lock.node: 'deal' in 'deal' is no action; allowed are"));
  EXPECT_THAT(error("node = \"check/check/Td\"\nstrategy = \"check\"\n"),
              StartsWith("a.toml:11: lock.node: the card Td is on the board already"));
  EXPECT_THAT(error("node = \"2c/3c/4c\"\nstrategy = \"check\"\n"),
              StartsWith("a.toml:11: lock.node: 4c is a sixth card"));
  EXPECT_THAT(error("node = \"check//check\"\nstrategy = \"check\"\n"), HasSubstr("'' in"));
  EXPECT_THAT(error("node = \"\"\nhands = \"Td9d\"\nstrategy = \"check\"\n"),
              StartsWith("a.toml:12: lock.hands has no hand that goes with the board"));
  EXPECT_THAT(error("node = \"\"\nhands = \"Tx\"\nstrategy = \"check\"\n"),
              StartsWith("a.toml:12: lock.hands: character 2 is 'x'"));
  EXPECT_THAT(error_of("lock = 3\n" + kBase), StartsWith("a.toml:1: lock is a number; allowed is"));
}

TEST(SpotTest, NotToml) {
  EXPECT_THAT(error_with("pot = 200", "pot = = 200"), StartsWith("a.toml:2: not TOML: "));
  EXPECT_THAT(error_with("pot = 200", "pot = 200\npot = 300"), StartsWith("a.toml:3: not TOML: "));
  EXPECT_THAT(error_of("board = \"Td9d6h\npot = 3"), StartsWith("a.toml:1: not TOML: "));
  EXPECT_THAT(error_of("board = \"\xff\""), StartsWith("a.toml:1: not TOML: "));
  EXPECT_EQ(error_with("pot", "p\u00f6t"),
            "a.toml:2: not TOML: a letter other than a to z outside quotes and comments");
  EXPECT_EQ(error_with("pot = 200", "pot = 200 # \u00f6"), "no error");
  EXPECT_EQ(error_with("\"AA,KK\"", "\"\"\"\nAA,KK\"\"\" # \u00f6"), "no error");
  EXPECT_THAT(error_with("\"AA,KK\"", "'\u00f6'"), StartsWith("a.toml:5: range.oop: character 1"));
  EXPECT_THAT(error_with("[sizes]", "[\nsizes]"), StartsWith("a.toml:7: not TOML: "));
}

TEST(SpotTest, ExamplesAreTheFixedSpots) {
  const Range oop = parse_range("66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s");
  const Range ip =
      parse_range("QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+");
  using Pairs = std::vector<std::pair<const char*, const char*>>;
  const auto check = [&](const char* name, const char* board, const Pairs& streets) {
    const Spot spot = read_spot(source_path("examples/spots/") + name + ".toml");
    EXPECT_EQ(spot.name, name);
    EXPECT_EQ(spot.board, parse_cards(board, ""));
    EXPECT_EQ(spot.ranges[0], oop);
    EXPECT_EQ(spot.ranges[1], ip);
    EXPECT_EQ(spot.betting.pot, 200);
    EXPECT_THAT(spot.betting.stack, ElementsAre(900, 900));
    EXPECT_EQ(spot.betting.add_allin + spot.betting.force_allin + spot.betting.merge, 0);
    ASSERT_EQ(spot.betting.streets.size(), streets.size());
    for (size_t s = 0; s < streets.size(); ++s) {
      for (const StreetSizes& own : spot.betting.streets[s].sizes) {
        EXPECT_EQ(own.bet, sizes(streets[s].first));
        EXPECT_THAT(own.raise, ElementsAre(sizes(streets[s].second)));
        EXPECT_EQ(own.donk, std::nullopt);
      }
    }
    expect_same(parse_spot(to_text(spot), name), spot);
  };
  check("flop", "Td9d6h", {{"50%,a", "50%,a"}, {"75%,a", "50%,a"}, {"75%,a", "50%,a"}});
  check("turn", "Td9d6hQc", {{"33%,75%,a", "50%,a"}, {"33%,75%,a", "50%,a"}});
  check("river", "Td9d6hQc2s", {{"33%,75%,150%,a", "50%,100%,a"}});
}

}  // namespace
}  // namespace cleave::poker
