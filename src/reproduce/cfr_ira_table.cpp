#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/threads.h"
#include "reproduce/fpira_games.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

enum Runner : size_t { kCfrPlus, kMerge, kPublished, kCfrIra, kNumRunners };
constexpr std::array kRunnerNames = {"CFR+", "FPIRA merge", "FPIRA published", "CFR-IRA"};
std::string spec_of(size_t runner) {
  if (runner == kCfrPlus) return "cfr+";
  if (runner == kCfrIra) return "cfr-ira";
  return fpira_spec(runner == kMerge ? "merge" : "paper");
}

constexpr int kRandomDepth = 7;
constexpr int kRandomGames = 10;
// FPIRA takes minutes in larger games; fpira-table has these.
constexpr double kMostSetsForFpira = 1e5;
constexpr size_t kQuickLeduc = 2;
constexpr int kQuickRandom = 2;
constexpr double kQuickLeducTarget = 0.01;
constexpr double kRandomTarget = 0.025;

struct IraLine {
  std::string name;
  std::string game;
  double target;
  SetCounts sets = {};
  std::array<RunFigures, kNumRunners> runs = {};
  double original_bytes = 0;  // of CFR+ in the original game

  bool has_fpira() const { return sets.with_ends < kMostSetsForFpira; }
  bool has(size_t runner) const {
    return has_fpira() || (runner != kMerge && runner != kPublished);
  }
  double bytes(size_t runner) const {
    return runner == kCfrPlus ? original_bytes : runs[runner].bytes();
  }
  double cells(size_t runner) const {
    return runner == kCfrPlus ? sets.acting : runs[runner].cells();
  }
  double times_fewer() const {
    return static_cast<double>(runs[kMerge].iterations) /
           static_cast<double>(runs[kCfrIra].iterations);
  }
};

class IraComparison {
 public:
  explicit IraComparison(const Context& context) : context_(for_threads(context)) {
    const size_t leduc = context.quick ? kQuickLeduc : kCermakRows.size();
    for (size_t i = 0; i < leduc; ++i) {
      lines_.push_back({kCermakRows[i].name(), kCermakRows[i].game(),
                        context.quick ? kQuickLeducTarget : kCermakTarget});
    }
    const int random = context.quick ? kQuickRandom : kRandomGames;
    for (int seed = 1; seed <= random; ++seed) {
      lines_.push_back(
          {fmt::format("random {}", seed), cermak_random_game(kRandomDepth, seed), kRandomTarget});
    }
  }

  Outcome run() {
    for (IraLine& line : lines_) solve(line);
    return {
        .tables = {make_summary(), make_runs()}, .checks = make_checks(), .notes = make_notes()};
  }

 private:
  void solve(IraLine& line) const {
    const auto game = make_counted_game(context_, line.game);
    line.sets = *game;
    line.original_bytes = static_cast<double>(2 * sizeof(double) * game->problem.tree.num_slots());
    constexpr std::array kDearestFirst = {kPublished, kMerge, kCfrIra, kCfrPlus};
    core::parallel_for(kNumRunners, context_.threads, [&](size_t task) {
      const size_t runner = kDearestFirst[task];
      if (!line.has(runner)) return;
      line.runs[runner] = run_to(context_, *game,
                                 {.algorithm = spec_of(runner),
                                  .target = line.target,
                                  .label = fmt::format("{}, {}", line.name, kRunnerNames[runner])});
    });
  }

  Table make_summary() const {
    Table table{.name = "summary",
                .title =
                    "Iterations to the exploitability aimed at, and bytes of strategy, partition "
                    "and best response together",
                .columns = {"game", "CFR+: iterations", "FPIRA: iterations", "CFR-IRA: iterations",
                            "times fewer", "CFR+: bytes", "FPIRA published: bytes",
                            "FPIRA merge: bytes", "CFR-IRA: bytes"}};
    for (const IraLine& line : lines_) {
      const auto of_fpira = [&](const Cell& figure) { return cell_if(line.has_fpira(), figure); };
      table.rows.push_back(
          {line.name, line.runs[kCfrPlus].iterations, of_fpira(line.runs[kMerge].iterations),
           line.runs[kCfrIra].iterations, of_fpira(line.times_fewer()), line.bytes(kCfrPlus),
           of_fpira(line.bytes(kPublished)), of_fpira(line.bytes(kMerge)), line.bytes(kCfrIra)});
    }
    return table;
  }

  Table make_runs() const {
    Table table{
        .name = "runs",
        .title =
            "Each run: cells at the end, also in percent of the information sets; exploitability "
            "in chips",
        .columns = {"game", "algorithm", "iterations", "cells", "%, acting", "%, with ends",
                    "exploit- ability", "bytes", "seconds"}};
    for (const IraLine& line : lines_) {
      for (size_t runner = 0; runner < kNumRunners; ++runner) {
        if (!line.has(runner)) continue;
        const RunFigures& run = line.runs[runner];
        const double cells = line.cells(runner);
        table.rows.push_back({line.name, kRunnerNames[runner], run.iterations, cells,
                              100 * cells / line.sets.acting, 100 * cells / line.sets.with_ends,
                              run.exploitability, line.bytes(runner), run.seconds});
      }
    }
    return table;
  }

  std::vector<Check> make_checks() const {
    size_t reached = 0;
    double worst = 0;
    for (const IraLine& line : lines_) {
      reached += line.runs[kCfrIra].reached ? 1 : 0;
      worst = std::max(worst, line.runs[kCfrIra].exploitability);
    }
    return {{fmt::format("CFR-IRA reaches the exploitability aimed at, {}, in every game", aim()),
             fmt::format("{} of {} games, {:.4g} at most", reached, lines_.size(), worst),
             reached == lines_.size()},
            check_iterations(),
            check_bytes(kPublished)};
  }

  Check check_iterations() const {
    const auto times_fewer = [](const IraLine& line) {
      return line.has_fpira() ? line.times_fewer() : std::numeric_limits<double>::infinity();
    };
    const auto least = std::ranges::min_element(lines_, {}, times_fewer);
    const bool all = times_fewer(*least) > 1;
    return {"CFR-IRA needs fewer iterations than FPIRA in every game that has both",
            fmt::format("{:.3g} times fewer at least ({})", least->times_fewer(), least->name),
            all};
  }

  Check check_bytes(Runner other) const {
    size_t met = 0;
    size_t games = 0;
    double worst = 0;
    std::string where;
    for (const IraLine& line : lines_) {
      if (!line.has_fpira()) continue;
      ++games;
      const double ratio = line.bytes(kCfrIra) / line.bytes(other);
      met += ratio <= 1 ? 1 : 0;
      if (ratio > worst) where = line.name;
      worst = std::max(worst, ratio);
    }
    return {fmt::format("CFR-IRA needs no more bytes than {} in any game that has both",
                        kRunnerNames[other]),
            fmt::format("in {} of {}; {:.3g} times as many at most ({})", met, games, worst, where),
            met == games};
  }

  std::vector<std::string> make_notes() const {
    std::vector<std::string> notes = cermak_notes(
        {fmt::format(
             "Games: the Leduc games of fpira-table, bets and raises of 1 to k chips, and "
             "random(depth={},branching=5,observations=4) by seed. Exploitability in chips, "
             "measured in the original game. FPIRA published: cells=paper.",
             kRandomDepth),
         "Bytes: what the algorithm learns (FPIRA a weight, CFR-IRA what its regrets and averages "
         "take, for each action of a cell), which set is in which cell, and the largest best "
         "response stored. CFR+ in the original game: a regret and an average for each action, 16 "
         "bytes.",
         "Merging is ours, not the paper's, so FPIRA is judged as published. " +
             check_bytes(kMerge).criterion + ": " + check_bytes(kMerge).measured + ".",
         "Each run on one thread, as many at a time as threads: seconds are for orientation."});
    notes.push_back(context_.quick
                        ? fmt::format("The short form: {} Leduc games, to {} chips in place of {}, "
                                      "and {} random ones.",
                                      kQuickLeduc, kQuickLeducTarget, kCermakTarget, kQuickRandom)
                        : "FPIRA in the three largest Leduc games: see fpira-table.");
    return notes;
  }

  std::string aim() const {
    return fmt::format("{} chips in Leduc and {} in random games",
                       context_.quick ? kQuickLeducTarget : kCermakTarget, kRandomTarget);
  }

  const Context context_;
  std::vector<IraLine> lines_;
};

}  // namespace

TargetInfo cfr_ira_table() {
  return {"cfr-ira-table", fmt::format("{}, section 6, future work (our own experiment)", kCermak),
          "CFR+ in an abstraction that refines itself, beside FPIRA and CFR+",
          [](const Context& context) { return IraComparison(context).run(); }};
}

}  // namespace cleave::reproduce
