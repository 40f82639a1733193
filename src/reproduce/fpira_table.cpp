#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "core/threads.h"
#include "reproduce/fpira_games.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

// Ways to split cells. The first is the default and the one that is judged.
struct Way {
  const char* cells;
  const char* label;
  bool in_large_games;  // the path does not depend on the way: the large ones are not run thrice
};
constexpr std::array kWays = {Way{"merge", "merge", true}, Way{"paper", "as published", true},
                              Way{"least", "least", false}};
constexpr double kLarge = 1e5;  // information sets with ends

constexpr size_t kQuickRows = 2;
constexpr double kMostSeconds = 30 * 60;
constexpr double kMostMegabytes = 1000;
constexpr double kSameResult = 1e-9;

struct SizeRow {
  const CermakRow* paper;
  SetCounts sets;
  std::vector<RunFigures> runs = {};  // [way]; fewer in large games
  double megabytes = 0;               // the process's peak so far
};

double percent(size_t part, double whole) { return 100 * static_cast<double>(part) / whole; }

class SizeTable {
 public:
  explicit SizeTable(const Context& context) : context_(for_threads(context)) {}

  Outcome run() {
    const size_t n = context_.quick ? kQuickRows : kCermakRows.size();
    for (size_t i = 0; i < n; ++i) rows_.push_back(measure(kCermakRows[i]));
    return {.tables = {make_counts(), make_percent("with-ends", "the paper's count", true),
                       make_percent("acting", "the sets at which somebody acts", false),
                       make_sizes(), make_memory()},
            .checks = make_checks(),
            .notes = make_notes()};
  }

 private:
  SizeRow measure(const CermakRow& paper) const {
    const auto game = make_counted_game(context_, paper.game());
    SizeRow row{&paper, *game};
    size_t ways = 0;
    while (ways < kWays.size() && (row.sets.with_ends < kLarge || kWays[ways].in_large_games))
      ++ways;
    row.runs.resize(ways);
    core::parallel_for(ways, context_.threads, [&](size_t w) {
      row.runs[w] = run_to(context_, *game,
                           {.algorithm = fpira_spec(kWays[w].cells),
                            .label = fmt::format("{}, {}", paper.name(), kWays[w].label)});
    });
    row.megabytes = static_cast<double>(core::peak_process_bytes()) / 1e6;
    return row;
  }

  static double final_percent(const SizeRow& row) {
    return percent(row.runs[0].abstraction.cells, row.sets.with_ends);
  }

  Table make_counts() const {
    Table table{.name = "counts",
                .title = "Information sets of the original game, G'",
                .columns = {"setting", "paper", "with ends", "somebody acts"}};
    for (const SizeRow& row : rows_) {
      table.rows.push_back(
          {row.paper->name(), row.paper->infosets, row.sets.with_ends, row.sets.acting});
    }
    return table;
  }

  Table make_percent(const char* name, const char* of, bool is_paper_count) const {
    Table table{
        .name = name, .title = fmt::format("Sizes in percent of {}", of), .columns = {"setting"}};
    const auto column = [&](std::string text, const char* in_paper) {
      if (is_paper_count && in_paper) table.columns.push_back(fmt::format("paper: {}", in_paper));
      table.columns.push_back(std::move(text));
    };
    column("first", "first");
    for (const Way& way : kWays) {
      column(fmt::format("final, {}", way.label), &way == kWays.data() ? "final" : nullptr);
    }
    column("best response", "best response");
    for (const SizeRow& row : rows_) {
      const double whole = is_paper_count ? row.sets.with_ends : row.sets.acting;
      std::vector<Cell> cells = {row.paper->name()};
      const auto add = [&](size_t ours, std::optional<double> paper) {
        if (is_paper_count && paper) cells.emplace_back(*paper);
        cells.emplace_back(percent(ours, whole));
      };
      add(row.runs[0].abstraction.first_cells, row.paper->first);
      add(row.runs[0].abstraction.cells, row.paper->last);
      for (size_t w = 1; w < row.runs.size(); ++w) add(row.runs[w].abstraction.cells, {});
      for (size_t w = row.runs.size(); w < kWays.size(); ++w) cells.emplace_back("not run");
      add(row.runs[0].abstraction.largest_response, row.paper->response);
      table.rows.push_back(std::move(cells));
    }
    return table;
  }

  // One row for each run.
  Table make_sizes() const {
    Table table{.name = "runs",
                .title = fmt::format("Runs to a gap of {} on one thread, and their sizes in cells",
                                     2 * kCermakTarget),
                .columns = {"setting", "cells", "iterations", "seconds", "exploitability, chips",
                            "first cells", "final cells", "most cells", "best response, sets"}};
    visit_runs([&](const SizeRow& row, const char* way, const RunFigures& run) {
      const solve::Abstraction& a = run.abstraction;
      table.rows.push_back({row.paper->name(), way, run.iterations, run.seconds, run.exploitability,
                            a.first_cells, a.cells, a.most_cells, a.largest_response});
    });
    return table;
  }

  Table make_memory() const {
    Table table{.name = "memory",
                .title = "Memory in bytes at the end of each run, and the process's peak so far",
                .columns = {"setting", "cells", "strategy", "partition", "best response",
                            "together", "peak so far, MB"}};
    visit_runs([&](const SizeRow& row, const char* way, const RunFigures& run) {
      const solve::Abstraction& a = run.abstraction;
      table.rows.push_back({row.paper->name(), way, a.strategy_bytes, a.partition_bytes,
                            a.response_bytes, run.bytes(), row.megabytes});
    });
    return table;
  }

  void visit_runs(const auto& visit) const {
    for (const SizeRow& row : rows_) {
      for (size_t w = 0; w < row.runs.size(); ++w) visit(row, kWays[w].label, row.runs[w]);
    }
  }

  std::vector<Check> make_checks() const {
    std::vector<Check> checks = {check_counts(), check_paper_sizes(), check_same_path(),
                                 check_falling("k (r=1)", {0, 1, 2, 3})};
    if (!context_.quick) checks.push_back(check_falling("r (k=2)", {0, 4, 5, 6}));
    checks.push_back(check_largest());
    return checks;
  }

  Check check_counts() const {
    size_t equal = 0;
    for (const SizeRow& row : rows_) equal += row.sets.with_ends == row.paper->infosets ? 1 : 0;
    return {"information sets with ends: the paper's number exactly, in every row",
            fmt::format("equal in {} of {} rows", equal, rows_.size()), equal == rows_.size()};
  }

  Check check_paper_sizes() const {
    std::string measured;
    bool passed = true;
    for (const SizeRow& row : rows_) {
      const double ours = one_decimal(final_percent(row));
      passed = passed && row.runs[0].reached && ours <= row.paper->last;
      measured += fmt::format("{}{:.1f} ({})", measured.empty() ? "" : ", ", ours, row.paper->last);
    }
    return {
        "the final abstraction (merge), percent of the paper's count at the paper's one decimal, "
        "is no larger than the paper's in any row",
        measured + " percent, the paper's in brackets", passed};
  }

  Check check_same_path() const {
    double apart = 0;
    bool same = true;
    for (const SizeRow& row : rows_) {
      for (const RunFigures& run : row.runs) {
        same = same && run.iterations == row.runs[0].iterations;
        apart = std::max(apart, std::abs(run.exploitability - row.runs[0].exploitability));
      }
    }
    return {
        fmt::format("however cells are split: as many iterations, and the same exploitability to "
                    "{:g}",
                    kSameResult),
        fmt::format("iterations {}, exploitability {:.2g} apart at most",
                    same ? "equal in every row" : "not equal in every row", apart),
        same && apart <= kSameResult};
  }

  Check check_falling(const char* along, const std::vector<size_t>& rows) const {
    std::string measured;
    bool passed = true;
    double before = 100;
    for (const size_t r : rows) {
      if (r >= rows_.size()) continue;
      const double now = final_percent(rows_[r]);
      passed = passed && now < before;
      measured += fmt::format("{}{:.2f}", measured.empty() ? "" : ", ", now);
      before = now;
    }
    return {
        fmt::format("the final abstraction (merge), percent of the paper's count, falls with {}",
                    along),
        measured, passed};
  }

  Check check_largest() const {
    const SizeRow& row = rows_.back();
    const RunFigures& run = row.runs[0];
    return {fmt::format("{} reaches a gap of {} within {:.0f} minutes and {:.0f} MB",
                        row.paper->name(), 2 * kCermakTarget, kMostSeconds / 60, kMostMegabytes),
            fmt::format("gap {:.4g}, {:.3g} s, {:.3g} MB", 2 * run.exploitability, run.seconds,
                        row.megabytes),
            run.reached && run.seconds <= kMostSeconds && row.megabytes <= kMostMegabytes};
  }

  std::vector<std::string> make_notes() const {
    return cermak_notes(
        {"Chips are not in the paper beyond the ante of 1: here bets and raises of 1 to k chips in "
         "both rounds. k: sizes of bets and of raises, r: raises in a row.",
         "Cells: as published, every set that the best response visits leaves a cell that cannot "
         "carry the new average; least parts only the sets that must play apart; merge, the "
         "default, also joins cells that have come to play alike.",
         "Peak memory is the process's, a high-water mark: with the compiled game, and of all rows "
         "up to that one; the runs of a row go side by side on a thread each. Seconds are solving "
         "alone, without compiling and without the measurements of exploitability between.",
         context_.quick ? fmt::format("The short form: the first {} rows of {}.", kQuickRows,
                                      kCermakRows.size())
                        : "The three largest rows were not run with least, to save time."});
  }

  const Context context_;
  std::vector<SizeRow> rows_;
};

}  // namespace

TargetInfo fpira_table() {
  return {"fpira-table", fmt::format("{}, figure 2 (c)", kCermak),
          "seven Leduc games by FPIRA: how small the abstraction stays",
          [](const Context& context) { return SizeTable(context).run(); }};
}

}  // namespace cleave::reproduce
