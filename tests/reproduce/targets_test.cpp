#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "core/error.h"
#include "reproduce/output.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

using testing::HasSubstr;

Outcome run_quick(const char* name) {
  Context context;
  context.quick = true;
  return find_target(name).run(context);
}

void expect_all_met(const Outcome& outcome) {
  EXPECT_FALSE(outcome.checks.empty());
  for (const Check& check : outcome.checks) {
    EXPECT_TRUE(check.passed) << check.criterion << ": " << check.measured;
  }
}

// What every target owes, whatever it measures.
void expect_well_formed(const Outcome& outcome) {
  std::set<std::string> names;
  for (const Table& table : outcome.tables) {
    EXPECT_TRUE(names.insert(table.name + ".csv").second) << table.name;
    EXPECT_FALSE(table.rows.empty()) << table.name;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    std::string line;
    for (const char c : text_table(table)) {
      if (c != '\n') line += c;
      if (c != '\n') continue;
      EXPECT_LE(line.size(), kColumns) << line;
      line.clear();
    }
  }
  for (const NamedChart& chart : outcome.charts) {
    EXPECT_TRUE(names.insert(chart.name + ".svg").second) << chart.name;
    EXPECT_FALSE(chart.chart.series.empty()) << chart.name;
  }
}

TEST(ReproduceTargets, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const TargetInfo& target : all_targets()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    EXPECT_FALSE(target.source.empty() || target.summary.empty()) << target.name;
    EXPECT_EQ(&find_target(target.name), &target);
  }
  EXPECT_FALSE(names.contains("all") || names.contains("list"));
}

TEST(ReproduceTargets, AnUnknownOneIsRefusedWithTheNames) {
  try {
    find_target("burch-fig9");
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'burch-fig9'"));
    for (const TargetInfo& target : all_targets()) {
      EXPECT_THAT(error.what(), HasSubstr(target.name));
    }
  }
}

TEST(ReproduceTargets, StopWhenAsked) {
  const std::atomic<bool> stop = true;
  Context context;
  EXPECT_NO_THROW(context.check_stop());
  context.stop = &stop;
  EXPECT_THROW(context.check_stop(), core::RunError);
  context.quick = true;
  EXPECT_THROW(find_target("coin-toss").run(context), core::RunError);
}

TEST(ReproduceTargets, CoinToss) {
  const Outcome outcome = run_quick("coin-toss");
  expect_all_met(outcome);
  expect_well_formed(outcome);
}

TEST(ReproduceTargets, Rps) {
  const Outcome outcome = run_quick("rps");
  expect_all_met(outcome);
  expect_well_formed(outcome);
}

TEST(FullReproduceTargets, BurchFig3) {
  const Outcome outcome = run_quick("burch-fig3");
  expect_all_met(outcome);
  expect_well_formed(outcome);
}

TEST(FullReproduceTargets, Fpira) {
  for (const char* name : {"fpira-table", "fpira-fig2", "fpira-random", "cfr-ira-table"}) {
    const Outcome outcome = run_quick(name);
    expect_all_met(outcome);
    expect_well_formed(outcome);
  }
}

}  // namespace
}  // namespace cleave::reproduce
