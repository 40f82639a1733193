#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "games/registry.h"
#include "solve/run.h"

namespace cleave::solve {
namespace {

TEST(Targets, ChipsOrPercentsOfThePot) {
  EXPECT_EQ(parse_target("0.25")->chips(1000), 0.25);
  EXPECT_EQ(parse_target("0.5%")->chips(1000), 5);
  EXPECT_TRUE(parse_target("2%")->percent);
  EXPECT_FALSE(parse_target("1e-3")->percent);
  for (const char* text : {"", "%", "0", "-1", "-1%", "nan", "inf", "1x", "1%%", " 1", "much"}) {
    EXPECT_FALSE(parse_target(text)) << text;
  }
}

TEST(Targets, OnlyOfRunsThatNothingLimits) {
  const Problem problem = make_problem(*games::make_game("kuhn"));
  Limits limits;
  add_default_target(problem, "cfr+", limits);
  EXPECT_EQ(limits.target, find_solver("cfr+").accuracy * 4);  // from -2 to 2 chips
  Limits seconds{{}, {}, 2};
  add_default_target(problem, "cfr+", seconds);
  EXPECT_FALSE(seconds.target);
  Limits exact;
  add_default_target(problem, "lp", exact);
  EXPECT_TRUE(exact.none());
}

// Exploitability 3 / t: on the line for ever.
std::vector<HistoryPoint> falling(int count) {
  std::vector<HistoryPoint> points;
  for (int t = 1; t <= count; ++t) points.push_back({t, 0.5 * t, 3 / (0.5 * t), 0});
  return points;
}

TEST(Forecasts, AreExactForAPowerOfTime) {
  EXPECT_NEAR(*time_to_target(falling(20), 0.01), 300, 1e-6);
  EXPECT_FALSE(time_to_target(falling(7), 0.01));
  EXPECT_FALSE(time_to_target(falling(20), 0));
  auto rising = falling(20);
  for (HistoryPoint& point : rising) point.exploitability = point.seconds;
  EXPECT_FALSE(time_to_target(rising, 0.01));
}

TEST(Forecasts, TheFirstLimitCounts) {
  const auto points = falling(20);  // ten seconds so far
  const auto left = [&](const Limits& limits) { return time_left(limits, 20, 10, points); };
  EXPECT_FALSE(left(Limits()));
  EXPECT_DOUBLE_EQ(*left({100, {}, {}}), 40);
  EXPECT_DOUBLE_EQ(*left({{}, {}, 25}), 15);
  EXPECT_NEAR(*left({{}, 0.01, {}}), 290, 1e-6);
  EXPECT_DOUBLE_EQ(*left({100, 0.01, 25}), 15);
  EXPECT_DOUBLE_EQ(*left({22, 0.01, 25}), 1);
  EXPECT_FALSE(left({{}, 1e-9, {}}));  // a hundred years
  EXPECT_DOUBLE_EQ(*left({100, 1e-9, {}}), 40);
}

}  // namespace
}  // namespace cleave::solve
