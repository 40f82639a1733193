#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "core/error.h"
#include "games/efg.h"
#include "games/efg_walk.h"
#include "games/same_tree.h"

namespace cleave::games {
namespace {

using namespace efg_tests;

// Not read from a file: matching pennies after a chance move of odd weights, with awkward labels.
class Pennies final : public TypedGame<uint32_t> {
 public:
  std::string name() const override { return "pennies"; }

 protected:  // a state is its history, two bits a move after a leading one
  uint32_t initial() const override { return 1; }
  Turn turn(const uint32_t& h) const override {
    if (h < 4) return {kChance, 3};
    if (h < 16) return {0, 2};
    if (h < 64) return {1, 2};
    return {};
  }
  void apply(uint32_t& h, int action) const override { h = h << 2 | static_cast<uint32_t>(action); }
  core::Rational chance_probability(const uint32_t&, int action) const override {
    return {action + 1, 6};
  }
  core::Rational payoff(const uint32_t& h, int player) const override {
    const int64_t stake = (h >> 4 & 3) + 1;
    const bool same = (h & 3) == (h >> 2 & 3);
    return {same == (player == 0) ? stake : -stake, 7};
  }
  core::Hash128 infoset_key(const uint32_t& h) const override {
    return core::Hasher().add(h < 16 ? h : 99).finish();  // player 2 sees nothing
  }
  std::string infoset_label(const uint32_t& h) const override {
    return h < 16 ? "card \"" + std::to_string(h & 3) + "\"" : "blind\\";
  }
  std::string action_label(const uint32_t& h, int action) const override {
    return (h < 4 ? "\\\\" : "\\\"a\\b\\") + std::to_string(action) + "\\";
  }
};

TEST(EfgWriter, WritesAnyGame) {
  const Pennies game;
  size_t nodes = 0;
  EXPECT_EQ(tree_difference(game, *read(written(game)), &nodes), "");
  EXPECT_EQ(nodes, 1U + 3 + 6 + 12);
}

TEST(EfgWriter, TheTextIsWhatGambitWouldWrite) {
  const auto game = read(two_players(R"(
c "r" 5 "" { "x" 0.25 "y" 0.75 } 9 "" { 1, 1 }
p "" 2 8 "s" { "l" "r" } 0 t "" 0 t "" 3 "" { .5, -1 }
p "" 2 8 0 t "" 3 t "" 0)"));
  EXPECT_EQ(written(*game, "a \"title\""), R"(EFG 2 R "a \"title\"" { "Player 1" "Player 2" }
""

c "" 1 "" { "x" 1/4 "y" 3/4 } 0
p "" 2 1 "s" { "l" "r" } 0
t "" 1 "" { 1, 1 }
t "" 2 "" { 3/2, 0 }
p "" 2 1 "s" { "l" "r" } 0
t "" 2 "" { 3/2, 0 }
t "" 1 "" { 1, 1 }
)");
}

TEST(EfgWriter, RoundTrips) {
  const std::string trees[] = {
      "t \"\" 0",
      "t \"\" 1 \"\" { 1/3, 1e-30 }",
      R"(p "" 1 1 "" { "" "" } 0 p "" 1 2 "" { "a" "a" "a#2" } 0 t "" 0 t "" 0 t "" 0
         p "" 1 3 "#1" { "x" } 0 t "" 0)",
      R"(p "" 1 1 "x" { "l" "r" } 1 "" { 1/3, -1/3 } p "" 2 1 "y" { "L" "R" } 2 "" { 0.1 -.1 }
         t "" 1 t "" 2 t "" 0)",
      R"(c "" 1 "" { "a\\" 1e-3 "\"b" 999/1000 } 0 p "" 1 1 "s\\" { "q\"" "\x" } 0 t "" 0 t "" 0
         c "" 2 "" { "z" 1 } 0 p "" 1 1 0 t "" 1 "" { 1e50 -1e50 } t "" 0)",
  };
  for (const std::string& tree : trees) {
    const auto game = read(two_players(tree));
    const std::string once = written(*game);
    const auto again = read(once);
    EXPECT_EQ(tree_difference(*game, *again), "") << tree;
    EXPECT_EQ(written(*again), once) << tree;
  }
}

TEST(EfgWriter, ThreePlayersRoundTrip) {
  const auto game = read(R"(EFG 2 R "" { "A" "B" "C" } p "" 3 1 "s" { "l" "r" } 0
                            t "" 1 "" { 1 2 3 } t "" 2 "" { 4 5 6 })");
  EXPECT_EQ(tree_difference(*game, *read(written(*game))), "");
}

TEST(EfgWriter, SaysWhenTheStreamFails) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(write_efg(Pennies(), "t", out), core::RunError);
}

TEST(SameTree, SeesEveryDifference) {
  const std::string tree =
      R"(c "" 1 "" { "x" 1/4 "y" 3/4 } 0 p "" 1 1 "s" { "l" "r" } 0 t "" 0 t "" 1 "" { 1 2 }
         p "" 1 1 "s" { "l" "r" } 0 t "" 0 t "" 0)";
  const auto game = read(two_players(tree));
  const auto difference = [&](std::string_view from, std::string_view to) {
    std::string changed = tree;
    for (size_t at = changed.find(from); at != changed.npos;
         at = changed.find(from, at + to.size())) {
      changed.replace(at, from.size(), to);
    }
    return tree_difference(*game, *read(two_players(changed)));
  };
  EXPECT_EQ(difference("zz", "zz"), "");
  EXPECT_EQ(difference("1/4 \"y\" 3/4", "1/2 \"y\" 1/2"), "probability at node 0");
  EXPECT_EQ(difference("\"y\"", "\"z\""), "action label at node 0");
  EXPECT_EQ(difference("\"s\"", "\"S\"").substr(0, 9), "set label");
  EXPECT_EQ(difference("{ 1 2 }", "{ 1 3 }").substr(0, 6), "payoff");
  EXPECT_EQ(difference("1 1 \"s\"", "2 1 \"s\"").substr(0, 5), "actor");
}

}  // namespace
}  // namespace cleave::games
