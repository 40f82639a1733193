#include "reproduce/bs_table4.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/memory.h"
#include "core/stopwatch.h"
#include "hands/game_file.h"
#include "hands/nested/nested_job.h"
#include "reproduce/game_texts.h"
#include "reproduce/holdem.h"

namespace cleave::reproduce {
namespace {

struct NestedRow {
  const char* label;
  const char* method;
  double paper;
};
constexpr std::array<NestedRow, 6> kNestedRows = {
    {{"Randomized pseudo-harmonic mapping", "translation", 1465},
     {"Resolve", "resolve", 150.2},
     {"Reach-Maxmargin (expensive)", "expensive-reach-maxmargin", 149.2},
     {"Unsafe (expensive)", "expensive-unsafe", 148.3},
     {"Maxmargin", "maxmargin", 122.0},
     {"Reach-Maxmargin", "reach-maxmargin", 119.1}}};
constexpr size_t kAnew = kNestedRows.size();  // translation that draws at every decision again

// The game and how well all of it is solved.
struct NestedPlan {
  size_t flops = 0;                              // of the game; 0: all
  size_t deals = 0;                              // subgames of so many flops are solved; 0: all
  int64_t small = 0, preflop = 0, subgames = 0;  // iterations
};

class NestedTable {
 public:
  explicit NestedTable(const Context& context) : context_(context) {}

  Outcome run() {
    watch_.start();
    if (context_.quick) {
      plan_ = {context_.flops > 0 ? context_.flops : kFewFlops, 0, 400, 200, 100};
      for (uint64_t s = 0; s < kQuickSamples; ++s) add_sample(context_.seed + s);
    } else {
      plan_ = {0, context_.flops, 800, 400, 300};
      add_sample(context_.seed);
    }
    Outcome outcome;
    outcome.tables = {make_table(), make_more()};
    if (!context_.quick) outcome.tables.push_back(make_growth());
    outcome.tables.push_back(make_costs());
    outcome.tables.push_back(size_table({"nested-small", "nested-large"}));
    outcome.charts = {make_chart()};
    outcome.checks = make_checks();
    outcome.notes = make_notes();
    return outcome;
  }

 private:
  static constexpr size_t kFewFlops = 4;
  static constexpr uint64_t kQuickSamples = 2;

  std::unique_ptr<hands::NestedJob> run_game(const NestedPlan& plan, uint64_t seed) {
    hands::Setup small =
        hands::parse_game(game_texts().at("nested-small"), "nested-small.toml").setup;
    hands::Setup large =
        hands::parse_game(game_texts().at("nested-large"), "nested-large.toml").setup;
    if (plan.flops > 0) {
      for (hands::Setup* setup : {&small, &large}) hands::sample_deals(*setup, plan.flops, seed);
    }
    std::unique_ptr<hands::NestedJob> job;
    hands::NestedOptions options = make_options(plan, seed);
    options.progress = [&](const std::string& what, size_t done, size_t all) {
      say(*job, what, done, all);
    };
    job = std::make_unique<hands::NestedJob>(small, large, options);
    job->run();
    return job;
  }

  void add_sample(uint64_t seed) {
    const auto job = run_game(plan_, seed);
    for (size_t m = 0; m < samples_.size(); ++m) {
      const decompose::Estimate chips = job->exploitability(m);
      samples_[m].push_back({chips.value * kMilliBlinds, chips.error * kMilliBlinds});
    }
    const hands::NestedJob::Cost cost = job->cost();
    costs_.push_back({static_cast<double>(seed), static_cast<double>(job->num_deals()),
                      static_cast<double>(job->num_done(1)), cost.small_seconds,
                      job->small_exploitability() * kMilliBlinds, cost.preflop_seconds,
                      cost.subgames, cost.subgames / cost.subgame_seconds,
                      static_cast<double>(core::peak_process_bytes()) / 1e6});
  }

  // With the time left and, while flops are solved, the result so far.
  void say(const hands::NestedJob& job, const std::string& what, size_t done, size_t all) {
    const double now = watch_.seconds();
    if (what != what_) {
      what_ = what;
      begun_ = now;
      first_ = done;
      estimated_ = now;
      estimate_.clear();
    }
    const auto& ways = job.ways();
    const auto way = std::ranges::find(ways, what, &hands::NestedWay::name);
    if (way != ways.end() && now - estimated_ > kSecondsBetweenEstimates) {
      estimated_ = now;
      estimate_ = estimate_text(what, job.exploitability(static_cast<size_t>(way - ways.begin())));
    }
    std::string left;
    if (done > first_) {
      const double each = (now - begun_) / static_cast<double>(done - first_);
      left = fmt::format(", {} left", time_text(each * static_cast<double>(all - done)));
    }
    context_.say(fmt::format("{}: {} of {}{}{}", what, done, all, left, estimate_));
  }

  // Of one game its own; of several their mean, and half a 95% interval by their scatter.
  decompose::Estimate figure(size_t row) const {
    const std::vector<decompose::Estimate>& x = samples_[row];
    if (x.size() == 1) return x[0];
    static_assert(kQuickSamples == 2);
    constexpr double kStudent = 12.71;  // of two
    return {(x[0].value + x[1].value) / 2, kStudent * std::abs(x[0].value - x[1].value) / 2};
  }
  double value(size_t row) const { return figure(row).value; }

  hands::NestedOptions make_options(const NestedPlan& plan, uint64_t seed) const {
    hands::NestedOptions options;
    for (const NestedRow& row : kNestedRows) options.methods.emplace_back(row.method);
    options.methods.emplace_back("translation-anew");
    options.algorithm = "dcfr(gamma=3)";
    options.small_iterations = plan.small;
    options.preflop_iterations = plan.preflop;
    options.subgame_iterations = plan.subgames;
    options.deals = plan.deals;
    options.threads = context_.threads;
    options.stop = context_.stop;
    options.key = fmt::format("nested flops={} small={} preflop={} subgames={} seed={} game={}{}",
                              plan.flops, plan.small, plan.preflop, plan.subgames, seed,
                              short_hash(game_texts().at("nested-small")),
                              short_hash(game_texts().at("nested-large")));
    for (const std::string& method : options.methods) options.key += " " + method;
    options.file = work_path(context_, "nested", "subgames", options.key);
    options.answer_files = work_path(context_, "nested", "answers", options.key);
    options.small_key =
        fmt::format("nested-small flops={} iterations={} seed={} game={}", plan.flops, plan.small,
                    seed, short_hash(game_texts().at("nested-small")));
    options.small_file = work_path(context_, "nested", "small", options.small_key);
    return options;
  }

  Table make_table() const {
    Table table{.name = "exploitability",
                .title = "Exploitability of a player confined to the small abstraction, mbb/h",
                .columns = {"answer to 0.75 pot", "paper", "ours", "+-"},
                .rows = {}};
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      table.rows.push_back(
          {kNestedRows[m].label, kNestedRows[m].paper, figure(m).value, figure(m).error});
    }
    return table;
  }

  Table make_more() const {
    return {.name = "more",
            .title = "A row beside the paper's, mbb/h",
            .columns = {"answer to 0.75 pot", "ours", "+-"},
            .rows = {{"The mapping drawn again at every decision", figure(kAnew).value,
                      figure(kAnew).error}}};
  }

  // Whether the order of methods is that of their solutions or of what is left to be solved.
  Table make_growth() {
    constexpr std::array<int64_t, 3> kIterations = {100, 300, 1000};
    Table table{.name = "iterations",
                .title = fmt::format("A game of {} flops, all else solved well, as iterations of "
                                     "subgames grow, mbb/h",
                                     kFewFlops),
                .columns = {"answer to 0.75 pot"},
                .rows = {}};
    for (const NestedRow& row : kNestedRows) table.rows.push_back({row.label});
    std::unique_ptr<hands::NestedJob> job;
    for (const int64_t n : kIterations) {
      job = run_game({kFewFlops, 0, 2000, 2000, n}, context_.seed);
      table.columns.push_back(fmt::format("{} iterations", n));
      for (size_t m = 0; m < kNestedRows.size(); ++m) {
        table.rows[m].emplace_back(job->exploitability(m).value * kMilliBlinds);
      }
    }
    table.columns.emplace_back("sum of gains");
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      const hands::NestedWay& way = job->ways()[m];
      const double gains = (job->total_gain(m, 0) + job->total_gain(m, 1)) / 2;
      table.rows[m].push_back(way.method && !way.expensive ? Cell(gains * kMilliBlinds) : Cell());
    }
    return table;
  }

  Table make_costs() const {
    return {.name = "costs",
            .title = "What it took, runs before this one included",
            .columns = {"seed", "flops", "solved", "small game, s", "its exploitability, mbb/h",
                        "preflop subgames, s", "flop subgames", "per core and second", "peak, MB"},
            .rows = costs_};
  }

  NamedChart make_chart() const {
    report::Chart chart;
    chart.title = "Answers to bets outside the abstraction";
    chart.x_label = "row of table 4";
    chart.y_label = "mbb/h";
    chart.log_x = false;
    chart.series = {{"paper", {}, {}}, {"ours", {}, {}}};
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      for (report::Series& series : chart.series) {
        series.x.push_back(static_cast<double>(m + 1));
      }
      chart.series[0].y.push_back(kNestedRows[m].paper);
      chart.series[1].y.push_back(value(m));
    }
    return {"exploitability", std::move(chart)};
  }

  std::vector<Check> make_checks() const {
    constexpr double kSeveral = 3;
    double worst = 0;
    for (size_t m = 1; m < kNestedRows.size(); ++m) worst = std::max(worst, value(m));
    const double resolve = value(1), maxmargin = value(4), reach = value(5);
    const std::string measured = fmt::format("{:.4g} and at most {:.4g} mbb/h", value(0), worst);
    std::vector<Check> checks = {
        {"translation is more exploitable than every subgame method", measured, value(0) > worst}};
    if (context_.quick) return checks;
    checks.push_back({fmt::format("translation is at least {} times as exploitable", kSeveral),
                      measured, value(0) >= kSeveral * worst});
    checks.push_back({"safe methods in the paper's order: reach-maxmargin, maxmargin, re-solve",
                      fmt::format("{:.4g}, {:.4g}, {:.4g} mbb/h", reach, maxmargin, resolve),
                      reach <= maxmargin && maxmargin <= resolve});
    double widest = 0;
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      widest = std::max(widest, figure(m).error / figure(m).value);
    }
    checks.push_back({"all 95% intervals within 5% of the value",
                      fmt::format("at most {:.1f}%", 100 * widest), widest <= 0.05});
    return checks;
  }

  std::vector<std::string> make_notes() const {
    std::vector<std::string> notes = {
        "One player is confined to bets of 0.5 and 1 pot, the other has 0.75 as well and plays a "
        "best response. Each answer is written into one strategy of the larger tree, which is "
        "measured.",
        "Inexpensive: the subgame begins behind the bet, with the value of the decision as the "
        "alternative. Expensive: where the bet is made, with the bet added. Gifts are lower "
        "bounds, split.",
        "The paper's translation loses more than folding every hand would (750 mbb/h). Ours takes "
        "a bet of 0.75 pot for 0.5 with probability 3/7, else for 1, plays on as if that had been "
        "bet, and acts on the real pot. Drawn again at every decision, the mapping leads to "
        "decisions that the player's own moves would not have led to, where its strategy was "
        "never learnt."};
    if (plan_.flops > 0) {
      notes.push_back(fmt::format(
          "Each sample is a game that deals only {} of the 1,755 flops: small game, subgames and "
          "best responses are all of that game. +- is half a 95% interval by the scatter of two "
          "samples.",
          plan_.flops));
    } else {
      notes.emplace_back(
          "The game has all 1,755 flops: the small game, answers to bets before the flop and "
          "translation are solved and measured on all of them. Where subgames are solved on some, "
          "those stand for all only in what answers on the flop change; +- is half a 95% interval "
          "by resampling flops.");
      notes.emplace_back(
          "Sum of gains: over all of the opponent's hands at all new bets on the flop, what the "
          "bet gets more than all moves before. With the same sum for bets before the flop this "
          "bounds what the answers cost (proposition 1). Re-solving makes the sum at each bet as "
          "small as it can be; maxmargin makes the largest gain of one hand small and lets all "
          "others grow up to it.");
    }
    return notes;
  }

  const Context& context_;
  NestedPlan plan_;
  std::array<std::vector<decompose::Estimate>, kAnew + 1> samples_;  // [row][game], mbb/h
  std::vector<std::vector<Cell>> costs_;
  core::Stopwatch watch_;
  std::string what_, estimate_;  // of progress
  double begun_ = 0, estimated_ = 0;
  size_t first_ = 0;
};

}  // namespace

TargetInfo bs_table4() {
  return {"bs-table4", fmt::format("{}, table 4", kBrownSandholm),
          "flop hold'em: answers to bets outside the abstraction, nested solving and translation",
          [](const Context& context) { return NestedTable(context).run(); }};
}

}  // namespace cleave::reproduce
