#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "games/efg.h"
#include "games/efg_walk.h"

namespace cleave::games {
namespace {

using namespace efg_tests;

// The message without the file name.
std::string error_of(std::string_view text) {
  try {
    read(text);
  } catch (const core::InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("test.efg:")) << message;
    return message.substr(9);
  }
  return "accepted";
}

std::string error_in_tree(std::string_view tree) { return error_of(two_players(tree)); }

TEST(EfgErrors, Header) {
  EXPECT_EQ(error_of(""),
            "1:1: the file ends here; expected EFG, the first word of an extensive-form game file");
  EXPECT_EQ(error_of("\n  NFG 1 R"),
            "2:3: found 'NFG'; expected EFG, the first word of an extensive-form game file");
  EXPECT_EQ(error_of("<xml>"),
            "1:1: found '<'; expected EFG, the first word of an extensive-form game file");
  EXPECT_EQ(error_of("EFG 1 R"), "1:5: version 1 of the format cannot be read; allowed is 2");
  EXPECT_EQ(error_of("EFG 2.0 R"), "1:5: version 2.0 of the format cannot be read; allowed is 2");
  EXPECT_EQ(error_of("EFG R"), "1:5: found 'R'; expected 2, the version of the format");
  EXPECT_EQ(error_of("EFG 2 X"), "1:7: found 'X'; expected R or D after EFG 2");
  EXPECT_EQ(error_of("EFG 2 \"t\""), "1:7: found the string \"t\"; expected R or D after EFG 2");
  EXPECT_EQ(error_of("EFG 2 R { }"), "1:9: found '{'; expected the title of the game in quotes");
  EXPECT_EQ(error_of("EFG 2 R \"t\" t"),
            "1:13: found 't'; expected '{' and the names of the players");
  EXPECT_EQ(error_of("EFG 2 R \"t\" { }"),
            "1:15: found '}'; expected the name of at least one player in quotes");
  EXPECT_EQ(error_of("EFG 2 R \"t\" { \"A\" 1 }"),
            "1:19: found '1'; expected the name of a player in quotes or '}'");
  EXPECT_EQ(error_of("EFG 2 R \"t\" { \"A\", \"B\" }"),
            "1:18: found ','; expected the name of a player in quotes or '}'");
  std::string names;
  for (int i = 0; i < 254; ++i) names += "\"\"";
  EXPECT_EQ(error_of("EFG 2 R \"t\" {" + names + "} t \"\" 0"),
            "1:520: too many players; allowed are at most 253");
}

TEST(EfgErrors, Nodes) {
  const std::string node =
      "; expected a node: c (chance), p (player) or t (terminal), then its name";
  EXPECT_EQ(error_in_tree("x \"\" 0"), "2:1: found 'x'" + node);
  EXPECT_EQ(error_in_tree("tt \"\" 0"), "2:1: found 'tt'" + node);
  EXPECT_EQ(error_in_tree("P \"\" 0"), "2:1: found 'P'" + node);
  EXPECT_EQ(error_in_tree("1 \"\" 0"), "2:1: found '1'" + node);
  EXPECT_EQ(error_in_tree("\"c\" \"c\" t \"\" 0"), "2:5: found the string \"c\"" + node);
  EXPECT_EQ(error_in_tree("t 0"),
            "2:3: found '0'; expected the name of the node in quotes, which may be empty");
  EXPECT_EQ(error_in_tree("t \"\""),
            "2:5: the file ends here; expected the number of an outcome from 0 to 2147483647");
}

TEST(EfgErrors, Players) {
  const std::string player = "; expected the number of a player from 1 to 2";
  EXPECT_EQ(error_in_tree("p \"\" 0 1 \"\" { \"a\" } 0"), "2:6: found '0'" + player);
  EXPECT_EQ(error_in_tree("p \"\" 3 1 \"\" { \"a\" } 0"), "2:6: found '3'" + player);
  EXPECT_EQ(error_in_tree("p \"\" -1 1 \"\" { \"a\" } 0"), "2:6: found '-1'" + player);
  EXPECT_EQ(error_in_tree("p \"\" 1.0 1 \"\" { \"a\" } 0"), "2:6: found '1.0'" + player);
  EXPECT_EQ(error_in_tree("p \"\" \"A\" 1 \"\" { \"a\" } 0"),
            "2:6: found the string \"A\"" + player);
  EXPECT_EQ(error_in_tree("p \"\" 99999999999999999999999 1"),
            "2:6: found '99999999999999999999999'" + player);
}

TEST(EfgErrors, InformationSets) {
  const std::string number = "; expected the number of an information set from 0 to 2147483647";
  EXPECT_EQ(error_in_tree("p \"\" 1 \"s\""), "2:8: found the string \"s\"" + number);
  EXPECT_EQ(error_in_tree("c \"\" 2147483648"), "2:6: found '2147483648'" + number);
  EXPECT_EQ(error_in_tree("p \"\" 1 4 0"),
            "2:8: information set 4 of player 1 is not described yet; its first node needs its "
            "label in quotes and its actions in braces after the number");
  EXPECT_EQ(error_in_tree("p \"\" 1 4 \"\" { \"a\" } 0\np \"\" 2 4 0"),
            "3:8: information set 4 of player 2 is not described yet; its first node needs its "
            "label in quotes and its actions in braces after the number");
  EXPECT_EQ(error_in_tree("c \"\" 4 0"),
            "2:6: chance set 4 is not described yet; its first node needs its label in quotes and "
            "its actions in braces after the number");
  EXPECT_EQ(error_in_tree("p \"\" 1 1 \"s\" 0"),
            "2:14: found '0'; expected '{' and the actions of the information set");
  EXPECT_EQ(error_in_tree("p \"\" 1 1 \"s\" { } 0"),
            "2:16: found '}'; expected the label of an action in quotes");
  EXPECT_EQ(error_in_tree("p \"\" 1 1 \"s\" { \"a\", \"b\" } 0"),
            "2:19: found ','; expected the label of an action in quotes or '}'");
  EXPECT_EQ(error_in_tree("p \"\" 1 1 \"s\" { \"a\" 1/2 } 0"),
            "2:20: found '1/2'; expected the label of an action in quotes or '}'");
}

TEST(EfgErrors, RepeatedDescriptionsMustAgree) {
  const std::string first = "p \"\" 1 1 \"s\" { \"a\" \"b\" } 0\n";
  const std::string both =
      " where it is first described; both must agree, or leave the second "
      "description out";
  EXPECT_EQ(error_in_tree(first + "p \"\" 1 1 \"x\" { \"a\" \"b\" } 0"),
            "3:10: information set 1 of player 1 has the label \"x\" here and \"s\"" + both);
  EXPECT_EQ(error_in_tree(first + "p \"\" 1 1 \"s\" { \"a\" } 0"),
            "3:14: information set 1 of player 1 has a number of actions of 1 here and 2" + both);
  EXPECT_EQ(error_in_tree(first + "p \"\" 1 1 \"s\" { \"a\" \"c\" } 0"),
            "3:20: information set 1 of player 1 has as action 2 \"c\" here and \"b\"" + both);
  EXPECT_EQ(error_in_tree("c \"\" 1 \"\" { \"a\" 1/2 \"b\" 1/2 } 0\n"
                          "c \"\" 1 \"\" { \"a\" 1/2 \"b\" 0.5 } 0\n"
                          "c \"\" 1 \"\" { \"a\" 1/3 \"b\" 2/3 } 0"),
            "4:17: chance set 1 has the probability 1/3 here and 1/2" + both);
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1, -1 }").substr(0, 8), "accepted");
  EXPECT_EQ(error_in_tree(first + "t \"\" 1 \"\" { 1, -1 }\nt \"\" 1 \"\" { 1.0, 1 }"),
            "4:18: outcome 1 pays player 2 1 here and -1" + both);
}

TEST(EfgErrors, Probabilities) {
  EXPECT_EQ(error_in_tree("c \"\" 1 \"\" { \"a\" 1/3 \"b\" 0.3333 } 0"),
            "2:11: the probabilities sum to 19999/30000; they must sum to exactly 1");
  EXPECT_EQ(error_in_tree("c \"\" 1 \"\" { \"a\" 1 \"b\" 1 } 0"),
            "2:11: the probabilities sum to 2; they must sum to exactly 1");
  EXPECT_EQ(error_in_tree("c \"\" 1 \"\" { \"a\" 3/2 \"b\" -1/2 } 0"),
            "2:25: the probability -1/2 is negative; allowed are numbers from 0 to 1");
  EXPECT_EQ(error_in_tree("c \"\" 1 \"\" { \"a\" \"b\" } 0"),
            "2:17: found the string \"b\"; expected the probability of the action");
}

TEST(EfgErrors, Numbers) {
  const std::string forms = " is not a number; allowed are forms like 3, -1.25, 2e-3 and -1/3";
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1, 1-1 }"), "2:16: '1-1'" + forms);
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1e, 1 }"), "2:13: '1e'" + forms);
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1/2/3, 1 }"), "2:13: '1/2/3'" + forms);
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1/0, 1 }"),
            "2:13: '1/0' divides by zero; allowed are denominators of at least 1");
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { 1, 1e9999 }"),
            "2:16: '1e9999' has too large an exponent; allowed are exponents from -4096 to 4096");
  EXPECT_EQ(error_in_tree("t \"\" 1 \"\" { inf, 1 }"), "2:13: found 'inf'; expected a payoff");
}

TEST(EfgErrors, Outcomes) {
  const std::string number = "; expected the number of an outcome from 0 to 2147483647";
  EXPECT_EQ(error_in_tree("t \"\" -1"), "2:6: found '-1'" + number);
  EXPECT_EQ(error_in_tree("t \"\" \"\" { 1 1 }"), "2:6: found the string \"\"" + number);
  EXPECT_EQ(error_in_tree("t \"\" 0 \"\" { 1 1 }"),
            "2:8: outcome 0 means no outcome; a name and payoffs are allowed after 1 and above");
  EXPECT_EQ(error_in_tree("t \"\" 3"),
            "2:6: outcome 3 is not described yet; its first node needs its name in quotes and its "
            "payoffs in braces after the number");
  EXPECT_EQ(error_in_tree("t \"\" 3 \"o\" 1"),
            "2:12: found '1'; expected '{' and the payoffs of the outcome");
  EXPECT_EQ(error_in_tree("t \"\" 3 \"o\" { 1 }"),
            "2:16: outcome 3 has 1 payoffs; allowed are exactly 2, one for each player");
  EXPECT_EQ(error_in_tree("t \"\" 3 \"o\" { 1 2 3 }"),
            "2:18: outcome 3 has more payoffs; allowed are exactly 2, one for each player");
  EXPECT_EQ(error_in_tree("t \"\" 3 \"o\" { 1,, 2 }"), "2:16: found ','; expected a payoff");
  EXPECT_EQ(error_in_tree("t \"\" 3 \"o\" { 1 2"),
            "2:17: the file ends here; expected '}' after the last payoff");
}

TEST(EfgErrors, TheTreeMustBeCompleteAndAlone) {
  EXPECT_EQ(error_in_tree(""),
            "2:1: the file ends before the tree is complete; at least 1 more node is needed");
  EXPECT_EQ(error_in_tree("p \"\" 1 1 \"s\" { \"a\" \"b\" \"c\" } 0\np \"\" 1 1 0\nt \"\" 0\n"),
            "5:1: the file ends before the tree is complete; at least 4 more nodes are needed");
  EXPECT_EQ(error_in_tree("t \"\" 0\nt \"\" 0"),
            "3:1: found 't'; expected the end of the file, since the tree is complete");
  EXPECT_EQ(error_in_tree("t \"\" 0 # done"),
            "2:8: found '#'; expected the end of the file, since the tree is complete");
}

TEST(EfgErrors, Strings) {
  const std::string open = " this string does not end; a closing quote is needed";
  EXPECT_EQ(error_in_tree("t \"abc\n 0"), "2:3:" + open);
  EXPECT_EQ(error_in_tree("t \"abc\\"), "2:3:" + open);
  EXPECT_EQ(error_in_tree("t \"abc\\\""), "2:3:" + open);
  EXPECT_EQ(error_in_tree("t \""), "2:3:" + open);
  EXPECT_EQ(error_of("\""), "1:1:" + open);
}

TEST(EfgErrors, PositionsCountLinesAndCharacters) {
  EXPECT_EQ(error_of("\xEF\xBB\xBF"
                     "EFG 1")
                .substr(0, 4),
            "1:5:");
  EXPECT_EQ(error_of("EFG 2 R\r\n\"é♠\" x").substr(0, 4), "2:6:");
  EXPECT_EQ(error_of("EFG 2 R\r\"\"\r\r x").substr(0, 4), "4:2:");
  EXPECT_EQ(error_of("EFG 2 R\n\"two\nlines\" x").substr(0, 4), "3:8:");
  EXPECT_EQ(error_of("EFG\t2\tX").substr(0, 4), "1:7:");
}

TEST(EfgErrors, MessagesStayOnOneShortLine) {
  const std::string message = error_of("EFG 2 R \"t\" \"a\n\x01" + std::string(1000, 'b') + "\"");
  EXPECT_EQ(message.substr(0, 40), "1:13: found the string \"a\\x0A\\x01bbbbbbb");
  EXPECT_LT(message.size(), 150U);
  EXPECT_EQ(error_of("\xE2\x99\xA0"),
            "1:1: found '♠'; expected EFG, the first word of an extensive-form game file");
  EXPECT_EQ(error_of(std::string_view("\0EFG", 4)),
            "1:1: found '\\x00'; expected EFG, the first word of an extensive-form game file");
}

TEST(EfgErrors, LimitsOnSums) {
  // Each node adds 1 / (a number prime to all others), so that the denominators multiply.
  std::string tree;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i + 1);
    tree += "p \"\" 1 1 \"s\" { \"a\" } " + n + " \"\" { 1/1" + std::string(4000, '0') +
            std::to_string(100 + i) + " 0 }\n";
  }
  tree += "t \"\" 0";
  // Checked with another program: the first 8 sums have fewer characters.
  EXPECT_EQ(error_in_tree(tree),
            "10:22: the payoffs on the way here sum to a number of 68047 characters; allowed are "
            "at most 65536");
}

// A file may promise far more children than it holds; that must cost nothing.
TEST(EfgErrors, PromisesCostNoMemory) {
  std::string tree = "p \"\" 1 1 \"s\" {";
  for (int i = 0; i < 50000; ++i) tree += "\"\"";
  tree += "} 0\n";
  for (int i = 0; i < 50000; ++i) tree += "p \"\" 1 1 0\n";
  EXPECT_EQ(
      error_in_tree(tree),
      "50003:1: the file ends before the tree is complete; at least 2500000000 more nodes are "
      "needed");
}

}  // namespace
}  // namespace cleave::games
