#include "games/efg.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "core/error.h"
#include "games/efg_walk.h"
#include "games/same_tree.h"

namespace cleave::games {
namespace {

using namespace efg_tests;

TEST(EfgReader, ReadsEveryKindOfNode) {
  const auto game = read(two_players(R"(
c "deal" 1 "cards" { "J" 1/3 "Q" 2/3 } 0
p "" 1 1 "has J" { "check" "bet" } 0
t "" 1 "win" { 1, -1 }
t "" 2 "lose" { -2, 2 }
p "" 2 1 "has Q" { "fold" } 0
t "" 2
)"));
  EXPECT_EQ(game->name(), "test.efg");
  EXPECT_EQ(game->num_players(), 2);
  const Walk root(*game);
  EXPECT_EQ(root.turn().actor, kChance);
  EXPECT_EQ(root.turn().num_actions, 2);
  EXPECT_EQ(root.probability(0), "1/3");
  EXPECT_EQ(root.probability(1), "2/3");
  EXPECT_EQ(root.actions(), "J|Q");
  const Walk first(*game, {0});
  EXPECT_EQ(first.turn().actor, 0);
  EXPECT_EQ(first.label(), "has J");
  EXPECT_EQ(first.actions(), "check|bet");
  EXPECT_EQ(Walk(*game, {0, 0}).turn().actor, kTerminal);
  EXPECT_EQ(Walk(*game, {0, 0}).turn().num_actions, 0);
  EXPECT_EQ(Walk(*game, {0, 0}).payoff(0), "1");
  EXPECT_EQ(Walk(*game, {0, 1}).payoff(1), "2");
  EXPECT_EQ(Walk(*game, {1}).turn().actor, 1);
  EXPECT_EQ(Walk(*game, {1, 0}).payoff(0), "-2");
}

TEST(EfgReader, ATerminalRootIsAGame) {
  const auto game = read("EFG 2 D \"t\" { \"A\" } t \"\" 0");
  EXPECT_EQ(game->num_players(), 1);
  EXPECT_EQ(Walk(*game).turn().actor, kTerminal);
  EXPECT_EQ(Walk(*game).payoff(0), "0");
}

TEST(EfgReader, SetsAreKnownByPlayerAndNumber) {
  const auto game = read(two_players(R"(
p "" 1 1 "x" { "l" "r" "m" } 0
p "" 2 1 "y" { "L" "R" } 0 t "" 0 t "" 0
p "" 2 1 0 t "" 0 t "" 0
p "" 2 7 "z" { "L" } 0 t "" 0)"));
  EXPECT_EQ(Walk(*game, {0}).key(), Walk(*game, {1}).key());
  EXPECT_FALSE(Walk(*game, {0}).key() == Walk(*game, {2}).key());
  EXPECT_FALSE(Walk(*game, {0}).key() == Walk(*game).key());  // set 1 of the other player
  EXPECT_EQ(Walk(*game, {1}).label(), "y");
}

TEST(EfgReader, NumbersMayHaveGapsAndAnyOrder) {
  const auto game = read(two_players(R"(
p "" 1 2147483647 "x" { "l" "r" "m" } 0
p "" 1 0 "y" { "L" } 0 t "" 2147483647 "" { 1 2 }
p "" 1 2147483647 0 t "" 2147483647 t "" 5 "" { 5 5 } t "" 4 "" { 4 4 }
p "" 1 300 "z" { "L" } 0 t "" 300 "" { 6 6 })"));
  EXPECT_EQ(Walk(*game, {1}).key(), Walk(*game).key());
  EXPECT_EQ(Walk(*game, {1, 0}).payoff(1), "2");
  EXPECT_EQ(Walk(*game, {1, 2}).payoff(1), "4");
  EXPECT_EQ(Walk(*game, {2}).label(), "z");
}

TEST(EfgReader, DescriptionsMayBeRepeated) {
  const auto game = read(two_players(R"(
c "" 1 "d" { "h" 1/2 "t" 0.5 } 0
c "" 1 "d" { "h" .5 "t" 5e-1 } 0
p "n" 1 1 "s" { "a" } 0 t "n" 1 "o" { 1, -1 }
p "n" 1 1 "s" { "a" } 0 t "n" 1 "another name" { 1.0, -2/2 }
c "" 1 0 t "" 1 t "" 0)"));
  EXPECT_EQ(Walk(*game, {0, 0}).key(), Walk(*game, {0, 1}).key());
  EXPECT_EQ(Walk(*game, {0, 1, 0}).payoff(1), "-1");
  EXPECT_EQ(Walk(*game, {1}).probability(1), "1/2");
}

TEST(EfgReader, OutcomesAddAlongThePath) {
  const auto game = read(two_players(R"(
p "" 1 1 "x" { "l" "r" } 1 "ante" { 1/3, -1/3 }
c "" 1 "" { "a" 1 } 2 "" { 0.1, -0.1 }
p "" 1 2 "y" { "l" "r" } 0
t "" 1
t "" 3 "" { -13/30, 1e30 }
t "" 0)"));
  EXPECT_EQ(Walk(*game, {0, 0, 0}).payoff(0), "23/30");  // 1/3 + 1/10 + 1/3
  EXPECT_EQ(Walk(*game, {0, 0, 0}).payoff(1), "-23/30");
  EXPECT_EQ(Walk(*game, {0, 0, 1}).payoff(0), "0");
  EXPECT_EQ(Walk(*game, {0, 0, 1}).payoff(1), "29999999999999999999999999999987/30");
  EXPECT_EQ(Walk(*game, {1}).payoff(0), "1/3");
}

TEST(EfgReader, NumbersAreExactInEveryForm) {
  const auto game = read(two_players(R"(
c "" 1 "" { "a" 0.1 "b" 2/10 "c" 3e-1 "d" .4 "e" 0 } 0
t "" 1 "" { 1.5E+2 -123456789012345678901234567890 }
t "" 2 "" { 5., +3 }
t "" 3 "" { 1e40, -1e-20, }
t "" 4 "" { 0.3333333333333333333333, 10/4 }
t "" 0)"));
  EXPECT_EQ(Walk(*game).probability(0), "1/10");
  EXPECT_EQ(Walk(*game).probability(3), "2/5");
  EXPECT_EQ(Walk(*game).probability(4), "0");
  EXPECT_EQ(Walk(*game, {0}).payoff(0), "150");
  EXPECT_EQ(Walk(*game, {0}).payoff(1), "-123456789012345678901234567890");
  EXPECT_EQ(Walk(*game, {1}).payoff(0), "5");
  EXPECT_EQ(Walk(*game, {1}).payoff(1), "3");
  EXPECT_EQ(Walk(*game, {2}).payoff(0), "1" + std::string(40, '0'));
  EXPECT_EQ(Walk(*game, {2}).payoff(1), "-1/1" + std::string(20, '0'));
  EXPECT_EQ(Walk(*game, {3}).payoff(0), "3333333333333333333333/10000000000000000000000");
  EXPECT_EQ(Walk(*game, {3}).payoff(1), "5/2");
}

TEST(EfgReader, AnyWhiteSpaceOrNone) {
  const char* tight =
      R"(EFG 2 R""{"A""B"}""p""1 1""{"l""r"}0t""1""{1,2}c""1""{"x"1/2"y"1/2}0t""1t""0)";
  const char* loose =
      "\xEF\xBB\xBF \tEFG\r\n2\v\fR\r\n\"\" {\r\"A\" \"B\"\n}\r\n \"\"p\n\"\"\n1\r\n1 \"\" { \"l\" "
      "\"r\" }\n0\n t \"\" 1 \"\" { 1 , 2 } c \"\" 1 \"\" { \"x\" 1/2 \"y\" 1/2 } 0 t \"\" 1\r\nt "
      "\"\" 0 \t\r\n\r\n";
  size_t nodes = 0;
  EXPECT_EQ(tree_difference(*read(tight), *read(loose), &nodes), "");
  EXPECT_EQ(nodes, 5U);
}

TEST(EfgReader, StringsWithEscapes) {
  const auto game = read(two_players(
      R"(p "a\"b" 1 1 "say \"hi\"" { "back\\" "a\b" "\\\"" "two
lines" "K♠" } 0 t "\\" 0 t "" 0 t "" 0 t "" 0 t "" 0)"));
  EXPECT_EQ(Walk(*game).label(), "say \"hi\"");
  EXPECT_EQ(Walk(*game).actions(), "back\\|a\\b|\\\"|two\nlines|K♠");
}

TEST(EfgReader, TheCommentIsOptional) {
  EXPECT_NO_THROW(read("EFG 2 R \"t\" { \"A\" } \"c\" t \"\" 0"));
  EXPECT_NO_THROW(read("EFG 2 R \"t\" { \"A\" } t \"\" 0"));
}

TEST(EfgReader, AnyNumberOfPlayers) {
  EXPECT_EQ(read("EFG 2 R \"\" {\"A\" \"B\" \"C\"} t \"\" 1 \"\" { 1 2 3 }")->num_players(), 3);
  std::string names;
  std::string payoffs;
  for (int i = 0; i < 253; ++i) {
    names += "\"\"";
    payoffs += " 7";
  }
  const auto game = read("EFG 2 R \"\" {" + names +
                         "} p \"\" 253 1 \"\" { \"a\" } 0 t \"\" 1 \"\" {" + payoffs + " }");
  EXPECT_EQ(game->num_players(), 253);
  EXPECT_EQ(Walk(*game).turn().actor, 252);
  EXPECT_EQ(Walk(*game, {0}).payoff(252), "7");
}

TEST(EfgLabels, EmptyAndRepeatedSetLabelsGetTheSetNumber) {
  const auto game = read(two_players(R"(
p "" 1 4 "x" { "a" "b" "c" "d" "e" } 0
p "" 1 5 "x" { "a" } 0 t "" 0
p "" 1 6 "" { "a" } 0 t "" 0
p "" 1 7 "x#5" { "a" } 0 t "" 0
p "" 1 8 "#6" { "a" } 0 t "" 0
p "" 2 5 "x" { "a" } 0 t "" 0)"));
  EXPECT_EQ(Walk(*game).label(), "x#4");
  EXPECT_EQ(Walk(*game, {0}).label(), "x#5#5");  // "x#5" is another set's own label
  EXPECT_EQ(Walk(*game, {1}).label(), "#6#6");
  EXPECT_EQ(Walk(*game, {2}).label(), "x#5");
  EXPECT_EQ(Walk(*game, {3}).label(), "#6");
  EXPECT_EQ(Walk(*game, {4}).label(), "x");  // unique for player 2
}

TEST(EfgLabels, EmptyAndRepeatedActionLabelsGetTheirPlace) {
  const auto game = read(two_players(R"(
c "" 1 "" { "" 1/4 "" 1/4 "a" 1/4 "a" 1/4 } 0
p "" 1 1 "s" { "a" "a" "a#2" "" "#4" } 0 t "" 0 t "" 0 t "" 0 t "" 0 t "" 0
t "" 0 t "" 0 t "" 0)"));
  EXPECT_EQ(Walk(*game).actions(), "#1|#2|a#3|a#4");
  EXPECT_EQ(Walk(*game, {0}).actions(), "a#1|a#2#2|a#2|#4#4|#4");
}

TEST(EfgLabels, ManyActionsOfOneSet) {
  std::string tree = "p \"\" 1 1 \"s\" {";
  for (int i = 0; i < 100; ++i) tree += i % 50 == 0 ? " \"z\"" : " \"" + std::to_string(i) + "\"";
  tree += "} 0";
  for (int i = 0; i < 100; ++i) tree += " t \"\" 0";
  const auto game = read(two_players(tree));
  EXPECT_EQ(Walk(*game).action(0), "z#1");
  EXPECT_EQ(Walk(*game).action(50), "z#51");
  EXPECT_EQ(Walk(*game).action(99), "99");
}

TEST(EfgReader, AMillionNestedNodes) {
  std::string tree;
  for (int i = 0; i < 1000000; ++i) {
    tree += i == 0 ? "p \"\" 1 1 \"s\" { \"a\" } 1 \"\" { 1 -1/2 }\n" : "p \"\" 1 1 0\n";
  }
  tree += "t \"\" 1";
  const auto game = read(two_players(tree));
  std::vector<std::byte> at(game->state_bytes());
  game->root(at.data());
  size_t depth = 0;
  while (game->turn(at.data()).actor != kTerminal) {
    std::vector<std::byte> next(at.size());
    game->child(at.data(), 0, next.data());
    at = next;
    ++depth;
  }
  EXPECT_EQ(depth, 1000000U);
  EXPECT_EQ(game->payoff(at.data(), 0).to_string(), "2");
  const std::string text = written(*game);
  const std::string header = "EFG 2 R \"t\" { \"Player 1\" \"Player 2\" }\n\"\"\n\n";
  const std::string node = "p \"\" 1 1 \"s\" { \"a\" } 0\n";
  const std::string end = "t \"\" 1 \"\" { 2, -1 }\n";
  EXPECT_EQ(text.size(), header.size() + depth * node.size() + end.size());
  EXPECT_TRUE(text.starts_with(header + node + node));
  EXPECT_TRUE(text.ends_with(node + end));
}

TEST(EfgReader, InnerOutcomesDownALongChain) {
  std::string tree = "p \"\" 1 1 \"s\" { \"a\" } 1 \"\" { 1/7 -1/2 }\n";
  for (int i = 1; i < 100000; ++i) tree += "p \"\" 1 1 1\n";
  tree += "t \"\" 0";
  const auto game = read(two_players(tree));
  std::vector<std::byte> at(game->state_bytes());
  game->root(at.data());
  for (int i = 0; i < 100000; ++i) game->child(at.data(), 0, at.data());
  EXPECT_EQ(game->payoff(at.data(), 0).to_string(), "100000/7");
  EXPECT_EQ(game->payoff(at.data(), 1).to_string(), "-50000");
}

TEST(EfgReader, ReadsFiles) {
  const std::string path = testing::TempDir() + "cleave_efg_test.efg";
  std::ofstream(path) << "EFG 2 R \"t\" { \"A\" } t \"\" 0\n";
  const auto game = read_efg_file(path);
  EXPECT_EQ(game->name(), path);
  EXPECT_EQ(Walk(*game).turn().actor, kTerminal);
  std::ofstream(path) << "EFG 2 R \"t\" { \"A\" }\n t \"\" x\n";
  try {
    read_efg_file(path);
    ADD_FAILURE();
  } catch (const core::InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(path + ":2:7: ")) << error.what();
  }
  std::remove(path.c_str());
  try {
    read_efg_file(path);
    ADD_FAILURE();
  } catch (const core::InputError& error) {
    EXPECT_EQ(error.what(), path + ": cannot be read: No such file or directory");
  }
  EXPECT_THROW(read_efg_file("/"), core::InputError);
}

}  // namespace
}  // namespace cleave::games
