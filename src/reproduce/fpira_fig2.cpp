#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/stopwatch.h"
#include "core/threads.h"
#include "reproduce/fpira_games.h"
#include "reproduce/output.h"
#include "reproduce/target.h"
#include "solve/evaluate.h"
#include "solve/run.h"

namespace cleave::reproduce {
namespace {

constexpr size_t kQuickRow = 4;
constexpr double kSamePath = 1e-9;
constexpr int64_t kEveryUpTo = 100;  // every iteration is measured up to here
constexpr double kFpiraIterations = 5e3;
constexpr double kSayPointSeconds = 0.5;

// What runs side by side: fictitious play in the original game first.
enum FpiraCurve : size_t { kPlay, kMergedCells, kPublishedCells, kNumCurves };

// The smallest of 1, 2, 5, 10, 20, 50, ... from `iteration` on: rows of the table.
int64_t next_step(int64_t iteration) {
  for (int64_t decade = 1;; decade *= 10) {
    for (const int64_t digit : {1, 2, 5}) {
      if (digit * decade >= iteration) return digit * decade;
    }
  }
}

int64_t next_measured(int64_t iteration) {
  if (iteration <= kEveryUpTo) return iteration;
  return std::min(solve::next_check(iteration), next_step(iteration));
}

struct FpiraPoint {
  int64_t iteration = 0;
  std::array<double, kNumCurves> exploitability = {};
  std::array<double, kNumCurves> cells = {};  // fictitious play: none

  double apart() const {
    double largest = 0;
    for (const double x : exploitability) {
      largest = std::max(largest, std::abs(x - exploitability[kPlay]));
    }
    return largest;
  }
};

class FpiraFigure {
 public:
  explicit FpiraFigure(const Context& context)
      : context_(for_threads(context)),
        row_(kCermakRows[context.quick ? kQuickRow : kLargestRow]),
        game_(make_counted_game(context, row_.game())) {
    for (const std::string& spec :
         {std::string(kFictitiousPlay), fpira_spec("merge"), fpira_spec("paper")}) {
      solvers_.push_back(
          solve::make_solver(spec, game_->problem, {.threads = 1, .seed = context.seed}));
      work_.emplace_back(game_->problem);
    }
  }

  Outcome run() {
    watch_.start();
    while (points_.empty() || (points_.back().exploitability[kPlay] > kCermakTarget &&
                               points_.back().iteration < kMostIterations)) {
      FpiraPoint point{.iteration =
                           next_measured(points_.empty() ? 1 : points_.back().iteration + 1)};
      core::parallel_for(kNumCurves, context_.threads, [&](size_t task) {
        const size_t runner = kNumCurves - 1 - task;  // the dearest first
        advance(runner, point.iteration);
        measure(runner, point);
      });
      context_.check_stop();
      points_.push_back(point);
    }
    return {.tables = {make_table()},
            .charts = {make_exploitability_chart(), make_cells_chart()},
            .checks = make_checks(),
            .notes = make_notes()};
  }

 private:
  void advance(size_t runner, int64_t iteration) {
    solve::Solver& solver = *solvers_[runner];
    while (solver.iterations() < iteration && !(context_.stop && *context_.stop)) {
      solver.iterate();
      if (runner != kMergedCells || watch_.seconds() < said_ + kSayPointSeconds) continue;
      said_ = watch_.seconds();
      context_.say(fmt::format(
          "{}: {} iterations, exploitability {:.3g} of {:.3g}", row_.name(), solver.iterations(),
          points_.empty() ? 0 : points_.back().exploitability[kMergedCells], kCermakTarget));
    }
  }

  void measure(size_t runner, FpiraPoint& point) {
    solve::Workspace& work = work_[runner];
    for (size_t p = 0; p < 2; ++p) solvers_[runner]->average_plan(p, work.plan[p]);
    point.exploitability[runner] = solve::certify(game_->problem, work).exploitability;
    if (const auto abstraction = solvers_[runner]->abstraction()) {
      point.cells[runner] = static_cast<double>(abstraction->cells);
    }
  }

  Table make_table() const {
    Table table{.name = "iterations",
                .title = fmt::format(
                    "Leduc {}: exploitability in chips, and cells of the abstraction", row_.name()),
                .columns = {"iteration", "fictitious play", "FPIRA", "largest difference so far",
                            "cells, merge", "cells, as published", "merge, % of G' with ends",
                            "published, % of G' with ends"}};
    double apart = 0;
    for (const FpiraPoint& point : points_) {
      apart = std::max(apart, point.apart());
      if (next_step(point.iteration) != point.iteration && &point != &points_.back()) continue;
      const double merged = point.cells[kMergedCells], published = point.cells[kPublishedCells];
      table.rows.push_back({point.iteration, point.exploitability[kPlay],
                            point.exploitability[kMergedCells], apart, merged, published,
                            100 * merged / game_->with_ends, 100 * published / game_->with_ends});
    }
    return table;
  }

  // One runner's figure by iterations.
  report::Series line(const char* name, std::array<double, kNumCurves> FpiraPoint::*figure,
                      size_t runner) const {
    return report::make_series(name, points_, &FpiraPoint::iteration,
                               [&](const FpiraPoint& point) { return (point.*figure)[runner]; });
  }

  NamedChart make_exploitability_chart() const {
    return {
        "exploitability",
        {.title = fmt::format("Leduc {}", row_.name()),
         .x_label = "iterations",
         .y_label = "exploitability, chips",
         .series = {line("fictitious play", &FpiraPoint::exploitability, kPlay),
                    line("FPIRA (the same curve)", &FpiraPoint::exploitability, kMergedCells)}}};
  }

  NamedChart make_cells_chart() const {
    const auto level = [&](const char* name, double sets) {
      const double last = static_cast<double>(points_.back().iteration);
      return report::Series{name, {1, last}, {sets, sets}};
    };
    return {"cells",
            {.title = fmt::format("Leduc {}", row_.name()),
             .x_label = "iterations",
             .y_label = "information sets",
             .series = {level("G', with ends", game_->with_ends),
                        level("G', somebody acts", game_->acting),
                        line("FPIRA, as published", &FpiraPoint::cells, kPublishedCells),
                        line("FPIRA, merge", &FpiraPoint::cells, kMergedCells)}}};
  }

  std::vector<Check> make_checks() const {
    double apart = 0;
    for (const FpiraPoint& point : points_) apart = std::max(apart, point.apart());
    const FpiraPoint& last = points_.back();
    return {{fmt::format("theorem 1: FPIRA, cells merged and as published, is as exploitable as "
                         "fictitious play to {:g} chips after every iteration measured",
                         kSamePath),
             fmt::format("{} iterations measured, all up to {}: {:.2g} chips apart at most",
                         points_.size(), kEveryUpTo, apart),
             apart <= kSamePath},
            {fmt::format("FPIRA ends below a gap of {}", 2 * kCermakTarget),
             fmt::format("gap {:.4g} after {} iterations", 2 * last.exploitability[kMergedCells],
                         cell_text(last.iteration)),
             last.exploitability[kMergedCells] <= kCermakTarget}};
  }

  std::vector<std::string> make_notes() const {
    std::vector<std::string> notes = cermak_notes({fmt::format(
        "The paper reaches the gap after about {} updates of one player; here it took {} updates "
        "of each. Its chips, tie-breaking and first strategy are not given: bets and raises of 1 "
        "to k chips in both rounds and the first action everywhere are ours.",
        cell_text(kFpiraIterations), cell_text(points_.back().iteration))});
    if (context_.quick) {
      notes.push_back(fmt::format("The short form: {} in place of the paper's {}.", row_.name(),
                                  kCermakRows[kLargestRow].name()));
    }
    return notes;
  }

  const Context context_;
  const CermakRow& row_;
  std::unique_ptr<CountedGame> game_;
  std::vector<std::unique_ptr<solve::Solver>> solvers_;  // [runner]
  std::vector<solve::Workspace> work_;                   // [runner]
  std::vector<FpiraPoint> points_;
  core::Stopwatch watch_;
  double said_ = 0;
};

}  // namespace

TargetInfo fpira_fig2() {
  return {"fpira-fig2", fmt::format("{}, figure 2 (a) and (b)", kCermak),
          "FPIRA beside fictitious play: the same exploitability in fewer information sets",
          [](const Context& context) { return FpiraFigure(context).run(); }};
}

}  // namespace cleave::reproduce
