#include "search/match.h"

#include <gtest/gtest.h>

#include <cmath>

#include "games/efg.h"
#include "histories/profile.h"
#include "random_strategy.h"
#include "reference.h"
#include "search/blueprint.h"
#include "search/table.h"

namespace cleave::search {
namespace {

struct Pair {
  Pair(const GameTable& table, uint64_t seed)
      : one(random_strategy(table.problem.tree, seed)),
        two(random_strategy(table.problem.tree, seed + 1)),
        a(table.setting, nullptr, std::make_shared<histories::TreeProfile>(one)),
        b(table.setting, nullptr, std::make_shared<histories::TreeProfile>(two)),
        exact(exact_match(table.any, *a.complete(), *b.complete())) {}
  tree::Strategy one, two;
  BlueprintAgent a, b;
  ExactMatch exact;

  // The first in seat one, the second in seat two.
  static tree::Strategy seated(const tree::Tree& tree, const tree::Strategy& first,
                               const tree::Strategy& second) {
    tree::Strategy both = first;
    const uint32_t middle = tree.slot_begin[tree.infoset_begin[1]];
    std::copy(second.begin() + middle, second.end(), both.begin() + middle);
    return both;
  }
};

TEST(Match, ExactValueAgreesWithTheWalkOverHistories) {
  for (const char* name : {"kuhn", "leduc", "goofspiel(cards=3)"}) {
    const GameTable table(name);
    const tree::Tree& tree = table.problem.tree;
    Pair pair(table, 7);
    const auto one = Pair::seated(tree, pair.one, pair.two);
    const auto two = Pair::seated(tree, pair.two, pair.one);
    EXPECT_NEAR(pair.exact.seat[0], reference::values(tree, one)[0] + tree.shift, 1e-12);
    EXPECT_NEAR(pair.exact.seat[1], -reference::values(tree, two)[0] + tree.shift, 1e-12);
    EXPECT_NEAR(pair.exact.mean, (pair.exact.seat[0] + pair.exact.seat[1]) / 2, 1e-12);
  }
}

TEST(Match, SampledMeansAreNearTheExactOnes) {
  for (const char* name : {"kuhn", "leduc", "liars_dice(faces=3)", "random(chance=0.5,seed=4)"}) {
    const GameTable table(name);
    Pair pair(table, 11);
    for (const bool duplicate : {false, true}) {
      const MatchResult result = play_match(
          table.any, pair.a, pair.b,
          {.hands = 20000, .seed = 3, .duplicate = duplicate, .stop = {}, .progress = {}});
      EXPECT_EQ(result.hands, 20000);
      EXPECT_EQ(result.total.count, 10000);
      EXPECT_FALSE(result.stopped);
      EXPECT_NEAR(result.total.mean, pair.exact.mean, 4 * result.total.error) << name;
      for (size_t s = 0; s < 2; ++s) {
        EXPECT_EQ(result.seat[s].count, 10000);
        EXPECT_NEAR(result.seat[s].mean, pair.exact.seat[s], 4 * result.seat[s].error) << name;
        EXPECT_GT(result.seat[s].error, 0);
      }
    }
  }
}

TEST(Match, ConstantSumPayoffsAreTheGamesOwn) {
  const GameTable table(
      games::read_efg("EFG 2 R \"seven\" { \"A\" \"B\" }\nc \"\" 1 \"\" { \"x\" 1/4 \"y\" 3/4 } 0\n"
                      "t \"\" 1 \"\" { 1 6 }\nt \"\" 2 \"\" { 5 2 }\n",
                      "seven"));
  BlueprintAgent nobody(table.setting, nullptr, decompose::uniform_profile());
  const ExactMatch exact = exact_match(table.any, *nobody.complete(), *nobody.complete());
  EXPECT_DOUBLE_EQ(exact.seat[0], 4);
  EXPECT_DOUBLE_EQ(exact.seat[1], 3);
  const MatchResult result = play_match(table.any, nobody, nobody, {.hands = 4000});
  EXPECT_NEAR(result.seat[0].mean, 4, 4 * result.seat[0].error);
  EXPECT_NEAR(result.seat[1].mean, 3, 4 * result.seat[1].error);
  // The error of a seat by hand: a fair estimate of the deviation of {1: 1/4, 5: 3/4}.
  EXPECT_NEAR(result.seat[0].error, std::sqrt(3.0) / std::sqrt(2000.0), 0.002);
}

TEST(Match, SameSeedSameBits) {
  const GameTable table("leduc");
  Pair pair(table, 1);
  const auto play = [&](uint64_t seed) {
    return play_match(table.any, pair.a, pair.b, {.hands = 1000, .seed = seed}).total.mean;
  };
  EXPECT_EQ(play(5), play(5));
  EXPECT_NE(play(5), play(6));
  // Hands have streams of their own: a longer match begins with the shorter one.
  double at_100 = 0;
  MatchOptions options{.hands = 300, .seed = 5};
  options.progress = [&](int64_t hands, double mean, double) {
    if (hands == 100) at_100 = mean;
  };
  play_match(table.any, pair.a, pair.b, options);
  EXPECT_EQ(play_match(table.any, pair.a, pair.b, {.hands = 100, .seed = 5}).total.mean, at_100);
}

TEST(Match, DuplicateTakesLuckOut) {
  const GameTable table("leduc");
  Pair pair(table, 1);
  const auto error = [&](bool duplicate) {
    return play_match(table.any, pair.a, pair.b, {.hands = 20000, .duplicate = duplicate})
        .total.error;
  };
  EXPECT_LT(error(true), 0.95 * error(false));
  const MatchResult self =
      play_match(table.any, pair.a, pair.a, {.hands = 1000, .duplicate = true});
  EXPECT_EQ(self.total.mean, 0);
  EXPECT_EQ(self.total.error, 0);
  EXPECT_NE(self.seat[0].mean, 0);
}

TEST(Match, IntervalsCoverTheTruthAsOftenAsTheySay) {
  const GameTable table("kuhn");
  Pair pair(table, 3);
  for (const bool duplicate : {false, true}) {
    int covered = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
      const Sample total = play_match(table.any, pair.a, pair.b,
                                      {.hands = 400, .seed = seed, .duplicate = duplicate})
                               .total;
      covered += total.low() <= pair.exact.mean && pair.exact.mean <= total.high() ? 1 : 0;
    }
    // 380 expected, standard deviation 4.4.
    EXPECT_GE(covered, 362) << duplicate;
    EXPECT_LE(covered, 394) << duplicate;
  }
}

TEST(Match, OddHandsAndStops) {
  const GameTable table("kuhn");
  Pair pair(table, 3);
  EXPECT_EQ(play_match(table.any, pair.a, pair.b, {.hands = 7}).hands, 8);
  EXPECT_TRUE(std::isinf(play_match(table.any, pair.a, pair.b, {.hands = 2}).total.error));
  std::atomic<bool> stop = false;
  MatchOptions options{.hands = 1000, .seed = 1, .duplicate = false, .stop = &stop, .progress = {}};
  options.progress = [&](int64_t hands, double, double) { stop = hands >= 50; };
  const MatchResult result = play_match(table.any, pair.a, pair.b, options);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.hands, 50);
  EXPECT_EQ(result.total.mean, play_match(table.any, pair.a, pair.b, {.hands = 50}).total.mean);
}

// Thinks for ever at its third question.
class Slow final : public Agent {
 public:
  void act(const door::Question&, std::span<double> probabilities) override {
    if (++asked_ == 9) throw Interrupted("enough");
    std::ranges::fill(probabilities, 0.0);
    probabilities[0] = 1;
  }
  std::shared_ptr<const decompose::Profile> complete() override { return {}; }

 private:
  int asked_ = 0;
};

TEST(Match, ReportsWhatWasPlayedWhenAnAgentIsStopped) {
  const GameTable table("kuhn");
  Slow agent;
  // Always passing: two questions a hand, so the ninth comes in the third pair.
  const MatchResult result = play_match(table.any, agent, agent, {.hands = 100});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.hands, 4);
  EXPECT_EQ(result.seat[1].count, 2);
}

}  // namespace
}  // namespace cleave::search
