#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/threads.h"
#include "games/registry.h"
#include "histories/abstraction.h"
#include "histories/path_recovery.h"
#include "histories/resolve.h"
#include "reproduce/targets.h"
#include "solve/evaluate.h"
#include "solve/run.h"
#include "solve/sequence_lp.h"

namespace cleave::reproduce {
namespace {

using tree::Strategy;

constexpr const char* kFig5Game = "leduc";
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
struct Other {
  std::string method;
  std::string guarantee;
  Fig5Point point = {};
};
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
        game_(games::make_game(kFig5Game)),
        problem_(solve::make_problem(*game_)),
        abstract_(histories::make_abstract_game(
            *game_, problem_.tree, histories::leduc_strength_map(*game_, problem_.tree))),
        parts_(histories::take_apart(problem_,
                                     histories::make_cut(*game_, problem_.tree, "round:1"))) {}

  Outcome run() {
    solve_trunk();
    const size_t n = grid_.iterations.size();
    points_.assign(kMethods.size(), std::vector<Fig5Point>(n));
    const std::vector<decompose::Summary> summaries = histories::summarise(parts_, trunk_);
    core::parallel_for(kMethods.size() * n, context_.threads, [&](size_t task) {
      const size_t i = n - 1 - task / kMethods.size();  // the dearest first
      const size_t m = task % kMethods.size();
      const Strategy strategy = histories::resolve_all(
          parts_, summaries, decompose::make_method(kMethods[m]),
          {.algorithm = kResolver, .iterations = grid_.iterations[i], .stop = context_.stop},
          trunk_);
      points_[m][i] = measure(strategy);
    });
    context_.say(fmt::format("{} re-solving runs of each method done", n));
    try_others(summaries);
    return outcome();
  }

 private:
  // The abstract game's equilibrium carried over to the real one.
  Strategy expanded(const Strategy& strategy) const {
    return histories::expand(problem_.tree, abstract_, strategy);
  }

  Fig5Point measure(const Strategy& strategy) const {
    return {solve::certify(problem_, strategy).exploitability,
            mean_value(problem_, strategy, trunk_)};
  }

  void try_others(const std::vector<decompose::Summary>& summaries);
  void solve_trunk() {
    const auto solver = solve::make_solver(kTrunkSolver, abstract_.problem);
    solve::Record record;
    solve::Hooks hooks;
    hooks.stop = context_.stop;
    const auto result =
        solve::run(abstract_.problem, *solver,
                   {.iterations = grid_.trunk_iterations, .target = kTrunkAccuracy, .seconds = {}},
                   1, hooks, record);
    context_.check_stop();
    trunk_ = expanded(solver->strategy());
    abstract_exploitability_ = result.certificate.exploitability;
    trunk_exploitability_ = solve::certify(problem_, trunk_).exploitability;
    exact_trunk_exploitability_ =
        solve::certify(problem_, expanded(solve::solve_lp(abstract_.problem).strategy))
            .exploitability;
    context_.say(
        fmt::format("abstract equilibrium: {:.4f} chips in the real game", trunk_exploitability_));
  }

  Outcome outcome() const;
  std::array<Table, 3> make_tables() const;
  std::array<NamedChart, 2> make_charts() const;
  std::vector<Check> make_checks() const;
  const Fig5Point& at(size_t method, int64_t iterations) const {
    const auto place = std::ranges::find(grid_.iterations, iterations);
    return points_[method][static_cast<size_t>(place - grid_.iterations.begin())];
  }

  const Context& context_;
  Fig5Grid grid_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;
  histories::AbstractGame abstract_;
  histories::CutGame parts_;
  Strategy trunk_;
  double abstract_exploitability_ = 0;
  double trunk_exploitability_ = 0;
  double exact_trunk_exploitability_ = 0;  // of another abstract equilibrium, by linear program
  std::vector<std::vector<Fig5Point>> points_;  // [method][point]
  std::vector<Other> others_;
};

void Fig5Runs::try_others(const std::vector<decompose::Summary>& summaries) {
  for (const std::string& name : decompose::all_methods()) {
    const decompose::Method method = decompose::make_method(name);
    const Strategy strategy = histories::resolve_all(parts_, summaries, method,
                                                     {.algorithm = kOtherSolver,
                                                      .iterations = kOtherIterations,
                                                      .threads = context_.threads,
                                                      .stop = context_.stop},
                                                     trunk_);
    others_.push_back({name, method.safe ? "safe" : "no guarantee", measure(strategy)});
  }
  const histories::RecoveryOptions how{.algorithm = kOtherSolver,
                                       .iterations = kOtherIterations,
                                       .threads = context_.threads,
                                       .stop = context_.stop};
  others_.push_back(
      {"strategy grafting, all subgames at once", "safe",
       measure(histories::graft(problem_, parts_.cut, {histories::kAllSubgames}, trunk_, how))});
  const auto each = histories::each_subgame(parts_.cut);
  others_.push_back(
      {"path recovery", "no guarantee",
       measure(histories::recover_paths(problem_, parts_.cut, each, trunk_, {.solving = how}))});
  others_.push_back(
      {"path recovery in turn, best-response leaves", "safe",
       measure(histories::recover_paths(
           problem_, parts_.cut, each, trunk_,
           {.solving = how, .off_path = histories::OffPath::kBestResponse, .in_turn = true}))});
}

std::array<Table, 3> Fig5Runs::make_tables() const {
  const Fig5Point& safe_end = points_[0].back();
  const Fig5Point& unsafe_end = points_[1].back();
  Table summary{.name = "summary",
                .title = "Figure 5: chips per hand",
                .columns = {"what", "paper", "ours"},
                .rows = {}};
  const auto row = [&](std::string what, std::string paper, double ours) {
    summary.rows.push_back({std::move(what), std::move(paper), ours});
  };
  row("abstract equilibrium, exploitability", "0.382", trunk_exploitability_);
  row("another one, by linear program", "", exact_trunk_exploitability_);
  row("safe, 200 iterations", "0.33", at(0, 200).exploitability);
  row("safe, 1,600 iterations", "0.23 to 0.29 from 2,000 on", at(0, 1600).exploitability);
  row("safe, 3,200 iterations", "0.23 to 0.29 from 2,000 on", at(0, 3200).exploitability);
  row("safe, last point", "", safe_end.exploitability);
  row("unsafe, 6,250 iterations", "0.39", at(1, 6250).exploitability);
  row("unsafe, last point", "", unsafe_end.exploitability);
  row("value of safe against the original, last point", "", safe_end.value);
  row("value of unsafe against the original, last point", "", unsafe_end.value);
  row("unsafe's lead over safe, last point", "about 0.004", unsafe_end.value - safe_end.value);

  Table sweep{.name = "sweep",
              .title = "By re-solving iterations, chips per hand",
              .columns = {"iterations", "safe: exploitability", "unsafe: exploitability",
                          "safe: value against original", "unsafe: value against original"},
              .rows = {}};
  for (size_t i = 0; i < grid_.iterations.size(); ++i) {
    sweep.rows.push_back({static_cast<double>(grid_.iterations[i]), points_[0][i].exploitability,
                          points_[1][i].exploitability, points_[0][i].value, points_[1][i].value});
  }
  Table methods{.name = "methods",
                .title = fmt::format("Not in the paper: other methods on the same trunk, {}, {} "
                                     "iterations, chips per hand",
                                     kOtherSolver, kOtherIterations),
                .columns = {"method", "exploitability", "value against original", "guarantee"},
                .rows = {}};
  for (const Other& other : others_) {
    methods.rows.push_back(
        {other.method, other.point.exploitability, other.point.value, other.guarantee});
  }
  return {std::move(summary), std::move(sweep), std::move(methods)};
}

std::array<NamedChart, 2> Fig5Runs::make_charts() const {
  std::array<NamedChart, 2> charts;
  charts[0] = {.name = "exploitability",
               .chart = {.title = "Re-solving an abstract strategy of Leduc hold'em",
                         .x_label = "re-solving iterations",
                         .y_label = "exploitability (chips)",
                         .log_y = false,
                         .series = {}}};
  charts[1] = {.name = "value",
               .chart = {.title = "Re-solved strategies against the original abstract one",
                         .x_label = "re-solving iterations",
                         .y_label = "value (chips per hand)",
                         .log_y = false,
                         .series = {}}};
  std::vector<double> x(grid_.iterations.begin(), grid_.iterations.end());
  constexpr std::array kNames = {"re-solving (safe)", "unsafe re-solving"};
  for (size_t m = 0; m < kMethods.size(); ++m) {
    report::Series exploitability{kNames[m], x, {}};
    report::Series value{kNames[m], x, {}};
    for (const Fig5Point& point : points_[m]) {
      exploitability.y.push_back(point.exploitability);
      value.y.push_back(point.value);
    }
    charts[0].chart.series.push_back(std::move(exploitability));
    charts[1].chart.series.push_back(std::move(value));
  }
  charts[0].chart.series.push_back(
      {"original", x, std::vector<double>(x.size(), trunk_exploitability_)});
  return charts;
}

std::vector<Check> Fig5Runs::make_checks() const {
  double worst = 0;
  for (size_t i = 0; i < grid_.iterations.size(); ++i) {
    if (grid_.iterations[i] >= kFirstJudged) worst = std::max(worst, points_[0][i].exploitability);
  }
  const double end = points_[0].back().exploitability;
  return {{"abstract equilibrium exploitable for 0.38 to 0.40 chips",
           fmt::format("{:.4f}", trunk_exploitability_),
           trunk_exploitability_ >= 0.38 && trunk_exploitability_ <= 0.40},
          {"safe re-solving ends between 0.20 and 0.30 chips", fmt::format("{:.4f}", end),
           end >= 0.20 && end <= 0.30},
          {fmt::format("safe re-solving is below the original at every point from {} iterations on",
                       kFirstJudged),
           fmt::format("highest {:.4f} against {:.4f}", worst, trunk_exploitability_),
           worst < trunk_exploitability_}};
}

Outcome Fig5Runs::outcome() const {
  Outcome outcome;
  for (Table& table : make_tables()) outcome.tables.push_back(std::move(table));
  for (NamedChart& chart : make_charts()) outcome.charts.push_back(std::move(chart));
  outcome.checks = make_checks();
  outcome.notes = {
      fmt::format(
          "Trunk: {} on the abstract game ({} of {} information sets) to {:.2g} chips within "
          "it. Abstract equilibria are not unique, and their exploitability in the real "
          "game differs.",
          kTrunkSolver, abstract_.problem.tree.num_infosets(), problem_.tree.num_infosets(),
          abstract_exploitability_),
      "Suits stay visible in the abstraction; they carry no information.",
      fmt::format(
          "Re-solving by plain {}, full width, five subgames for each player. Points before "
          "{} iterations are solving error first of all and are shown, not judged; the "
          "paper's axis begins there.",
          kResolver, kFirstJudged),
      "Value: the re-solved strategy against the original one in the other seat, mean over seats."};
  return outcome;
}

Outcome run_burch_fig5(const Context& context) { return Fig5Runs(context).run(); }

}  // namespace

TargetInfo burch_fig5() {
  return {.name = "burch-fig5",
          .source = "Burch, Johanson, Bowling 2014, figure 5",
          .summary = "Leduc: re-solving the subgames of an abstract strategy, safe and unsafe",
          .run = run_burch_fig5};
}

}  // namespace cleave::reproduce
