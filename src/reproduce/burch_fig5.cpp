#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/threads.h"
#include "histories/abstraction.h"
#include "histories/recovery.h"
#include "reproduce/cut_tree.h"
#include "reproduce/target.h"
#include "solve/sequence_lp.h"

namespace cleave::reproduce {
namespace {

using tree::Strategy;

constexpr const char* kTrunkSolver = "cfr+";
constexpr const char* kResolver = "cfr";  // as in the paper, without its sampling
constexpr std::array kMethods = {"resolve", "unsafe"};
constexpr double kTrunkAccuracy = 1e-6;  // exploitability within the abstract game, in chips

struct Fig5Grid {
  std::vector<int64_t> iterations;
  int64_t trunk_iterations;
};

// The paper's axis begins near 200 iterations; the points before it are shown but not judged.
constexpr int64_t kFirstJudged = 200;

Fig5Grid make_fig5_grid(bool quick) {
  Fig5Grid grid{{10, 25, 50, 100, 200, 400, 800, 1600, 3200, 6250}, quick ? 20'000 : 200'000};
  if (!quick) grid.iterations.insert(grid.iterations.end(), {12'500, 25'000, 50'000, 100'000});
  return grid;
}

struct Fig5Point {
  double exploitability = 0;
  double value = 0;  // against the original strategy, mean over the two seats
};

// Beyond the figure: every way to solve the subgames anew, for as long as helps.
constexpr const char* kOtherSolver = "pcfr+";
constexpr int64_t kOtherIterations = 2000;

// Value to the new strategy against the old one's other seat, mean over seats.
double mean_value(const solve::Problem& problem, const Strategy& fresh, const Strategy& old) {
  solve::Workspace work(problem);
  const auto plan = [&](size_t player, const Strategy& strategy) {
    core::Reals result(problem.form.player[player].num_sequences);
    tree::plan_from_strategy(problem.tree, problem.form.player[player], strategy, result);
    return result;
  };
  const double first = solve::expected_value(problem, plan(0, fresh), plan(1, old), work);
  const double second = solve::expected_value(problem, plan(0, old), plan(1, fresh), work);
  return (first - second) / 2;
}

class Fig5Runs {
 public:
  explicit Fig5Runs(const Context& context)
      : context_(context),
        grid_(make_fig5_grid(context.quick)),
        leduc_("leduc", "round:1"),
        abstract_(histories::make_abstract_game(
            *leduc_.game, leduc_.problem.tree,
            histories::leduc_strength_map(*leduc_.game, leduc_.problem.tree))) {}

  Outcome run() {
    solve_trunk();
    const size_t n = grid_.iterations.size();
    points_.assign(kMethods.size(), std::vector<Fig5Point>(n));
    const Summaries summaries = leduc_.summarise(trunk_);
    core::parallel_for(kMethods.size() * n, context_.threads, [&](size_t task) {
      const size_t i = n - 1 - task / kMethods.size();  // the dearest first
      const size_t m = task % kMethods.size();
      points_[m][i] = measure(leduc_.resolve(
          kMethods[m], trunk_, summaries,
          {.algorithm = kResolver, .iterations = grid_.iterations[i], .stop = context_.stop}));
    });
    context_.say(fmt::format("{} re-solving runs of each method done", n));
    return {.tables = {make_summary(), make_sweep(), make_methods(summaries)},
            .charts = {make_exploitability_chart(), make_value_chart()},
            .checks = make_checks(),
            .notes = make_notes()};
  }

 private:
  // The abstract game's equilibrium carried over to the real one.
  Strategy expanded(const Strategy& strategy) const {
    return histories::expand(leduc_.problem.tree, abstract_, strategy);
  }

  Fig5Point measure(const Strategy& strategy) const {
    return {leduc_.exploitability(strategy), mean_value(leduc_.problem, strategy, trunk_)};
  }

  void solve_trunk() {
    const Solved solved = solve_whole(context_, abstract_.problem, kTrunkSolver,
                                      grid_.trunk_iterations, kTrunkAccuracy);
    trunk_ = expanded(solved.strategy);
    abstract_exploitability_ = solved.certificate.exploitability;
    trunk_exploitability_ = leduc_.exploitability(trunk_);
    exact_trunk_exploitability_ =
        leduc_.exploitability(expanded(solve::solve_lp(abstract_.problem).strategy));
    context_.say(
        fmt::format("abstract equilibrium: {:.4f} chips in the real game", trunk_exploitability_));
  }

  Table make_methods(const Summaries& summaries) const {
    Table table{.name = "methods",
                .title = fmt::format("Not in the paper: other methods on the same trunk, {}, {} "
                                     "iterations, chips per hand",
                                     kOtherSolver, kOtherIterations),
                .columns = {"method", "exploitability", "value against original", "guarantee"}};
    const auto add = [&](const std::string& name, bool safe, const Strategy& strategy) {
      const Fig5Point point = measure(strategy);
      table.rows.push_back(
          {name, point.exploitability, point.value, safe ? "safe" : "no guarantee"});
    };
    for (const std::string& name : decompose::all_methods()) {
      add(name, decompose::make_method(name).safe,
          leduc_.resolve(name, trunk_, summaries,
                         {.algorithm = kOtherSolver,
                          .iterations = kOtherIterations,
                          .threads = context_.threads,
                          .stop = context_.stop}));
    }
    const histories::RecoveryOptions how{.algorithm = kOtherSolver,
                                         .iterations = kOtherIterations,
                                         .threads = context_.threads,
                                         .stop = context_.stop};
    add("strategy grafting, all subgames at once", true,
        histories::graft(leduc_.problem, leduc_.cut, {histories::kAllSubgames}, trunk_, how));
    const auto recovered = [&](const histories::PathRecoveryOptions& options) {
      return histories::recover_paths(leduc_.problem, leduc_.cut,
                                      histories::each_subgame(leduc_.cut), trunk_, options);
    };
    add("path recovery", false, recovered({.solving = how}));
    add("path recovery in turn, best-response leaves", true,
        recovered(
            {.solving = how, .off_path = histories::OffPath::kBestResponse, .in_turn = true}));
    return table;
  }

  Table make_summary() const {
    const auto at = [&](size_t method, int64_t iterations) {
      const auto place = std::ranges::find(grid_.iterations, iterations);
      return points_[method][static_cast<size_t>(place - grid_.iterations.begin())].exploitability;
    };
    const Fig5Point &safe_end = points_[0].back(), &unsafe_end = points_[1].back();
    return {.name = "summary",
            .title = "Figure 5: chips per hand",
            .columns = {"what", "paper", "ours"},
            .rows = {{"abstract equilibrium, exploitability", "0.382", trunk_exploitability_},
                     {"another one, by linear program", "", exact_trunk_exploitability_},
                     {"safe, 200 iterations", "0.33", at(0, 200)},
                     {"safe, 1,600 iterations", "0.23 to 0.29 from 2,000 on", at(0, 1600)},
                     {"safe, 3,200 iterations", "0.23 to 0.29 from 2,000 on", at(0, 3200)},
                     {"safe, last point", "", safe_end.exploitability},
                     {"unsafe, 6,250 iterations", "0.39", at(1, 6250)},
                     {"unsafe, last point", "", unsafe_end.exploitability},
                     {"value of safe against the original, last point", "", safe_end.value},
                     {"value of unsafe against the original, last point", "", unsafe_end.value},
                     {"unsafe's lead over safe, last point", "about 0.004",
                      unsafe_end.value - safe_end.value}}};
  }

  Table make_sweep() const {
    Table table{.name = "sweep",
                .title = "By re-solving iterations, chips per hand",
                .columns = {"iterations", "safe: exploitability", "unsafe: exploitability",
                            "safe: value against original", "unsafe: value against original"}};
    for (size_t i = 0; i < grid_.iterations.size(); ++i) {
      const Fig5Point &safe = points_[0][i], &unsafe = points_[1][i];
      table.rows.push_back({grid_.iterations[i], safe.exploitability, unsafe.exploitability,
                            safe.value, unsafe.value});
    }
    return table;
  }

  // Both methods' lines.
  std::vector<report::Series> lines_of(double Fig5Point::*figure) const {
    const std::vector<double> x(grid_.iterations.begin(), grid_.iterations.end());
    std::vector<report::Series> lines = {{"re-solving (safe)", x, {}},
                                         {"unsafe re-solving", x, {}}};
    for (size_t m = 0; m < lines.size(); ++m) {
      for (const Fig5Point& point : points_[m]) lines[m].y.push_back(point.*figure);
    }
    return lines;
  }

  NamedChart make_exploitability_chart() const {
    NamedChart named{.name = "exploitability",
                     .chart = {.title = "Re-solving an abstract strategy of Leduc hold'em",
                               .x_label = "re-solving iterations",
                               .y_label = "exploitability (chips)",
                               .log_y = false,
                               .series = lines_of(&Fig5Point::exploitability)}};
    const std::vector<double>& x = named.chart.series[0].x;
    named.chart.series.push_back(
        {"original", x, std::vector<double>(x.size(), trunk_exploitability_)});
    return named;
  }

  NamedChart make_value_chart() const {
    return {.name = "value",
            .chart = {.title = "Re-solved strategies against the original abstract one",
                      .x_label = "re-solving iterations",
                      .y_label = "value (chips per hand)",
                      .log_y = false,
                      .series = lines_of(&Fig5Point::value)}};
  }

  std::vector<Check> make_checks() const {
    double worst = 0;
    for (size_t i = 0; i < grid_.iterations.size(); ++i) {
      if (grid_.iterations[i] < kFirstJudged) continue;
      worst = std::max(worst, points_[0][i].exploitability);
    }
    const double end = points_[0].back().exploitability;
    return {
        {"abstract equilibrium exploitable for 0.38 to 0.40 chips",
         fmt::format("{:.4f}", trunk_exploitability_),
         trunk_exploitability_ >= 0.38 && trunk_exploitability_ <= 0.40},
        {"safe re-solving ends between 0.20 and 0.30 chips", fmt::format("{:.4f}", end),
         end >= 0.20 && end <= 0.30},
        {fmt::format("safe re-solving is below the original at every point from {} iterations on",
                     kFirstJudged),
         fmt::format("highest {:.4f} against {:.4f}", worst, trunk_exploitability_),
         worst < trunk_exploitability_}};
  }

  std::vector<std::string> make_notes() const {
    return {
        fmt::format(
            "Trunk: {} on the abstract game ({} of {} information sets) to {:.2g} chips within it. "
            "Abstract equilibria are not unique, and their exploitability in the real game "
            "differs.",
            kTrunkSolver, abstract_.problem.tree.num_infosets(), leduc_.problem.tree.num_infosets(),
            abstract_exploitability_),
        "Suits stay visible in the abstraction; they carry no information.",
        fmt::format("Re-solving by plain {}, full width, five subgames for each player. Points "
                    "before {} iterations are solving error first of all and are shown, not "
                    "judged; the paper's axis begins there.",
                    kResolver, kFirstJudged),
        "Value: the re-solved strategy against the original one in the other seat, mean over "
        "seats."};
  }

  const Context& context_;
  Fig5Grid grid_;
  const CutTree leduc_;
  histories::AbstractGame abstract_;
  Strategy trunk_;
  double abstract_exploitability_ = 0;
  double trunk_exploitability_ = 0;
  double exact_trunk_exploitability_ = 0;  // of another abstract equilibrium, by linear program
  std::vector<std::vector<Fig5Point>> points_;  // [method][point]
};

}  // namespace

TargetInfo burch_fig5() {
  return {"burch-fig5", "Burch, Johanson, Bowling 2014, figure 5",
          "Leduc: re-solving the subgames of an abstract strategy, safe and unsafe",
          [](const Context& context) { return Fig5Runs(context).run(); }};
}

}  // namespace cleave::reproduce
