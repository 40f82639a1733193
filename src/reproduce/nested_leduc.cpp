#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/threads.h"
#include "histories/nested.h"
#include "histories/translation.h"
#include "reproduce/cut_tree.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

using histories::ActionAbstraction;
using histories::SmallGame;
using solve::Problem;
using tree::Strategy;

struct NestedSetting {
  const char* name;  // of its files
  const char* game;
  const char* dropped;
  double big_blind;  // two antes, as Jackson counts Leduc
};
constexpr std::array kSettings = {
    NestedSetting{"leduc", "leduc(distinct=false,bets=2:3:4/4:6:8)", "bet3,raise3,bet6,raise6", 2},
    // A half, three quarters and the whole of the first pot, as in the paper.
    NestedSetting{"pots", "leduc(distinct=false,ante=4,bets=4:6:8/8:12:16)",
                  "bet6,raise6,bet12,raise12", 8}};

struct MethodRow {
  const char* label;
  const char* method;
  bool expensive;
  double paper;    // mbb/h in no-limit flop hold'em: table 4
  bool is_judged;  // unsafe solving promises nothing
};
constexpr std::array kMethodRows = {
    MethodRow{"resolve", "resolve", false, 150.2, true},
    MethodRow{"maxmargin", "maxmargin", false, 122.0, true},
    MethodRow{"reach-maxmargin", "reach-maxmargin", false, 119.1, true},
    MethodRow{"reach-maxmargin, expensive", "reach-maxmargin", true, 149.2, true},
    MethodRow{"unsafe, expensive", "unsafe", true, 148.3, false}};
constexpr double kPaperTranslation = 1465;
constexpr double kTimesBetter = 2;

constexpr const char* kSolver = "pcfr+";  // of whole games
constexpr const char* kSubgameSolver = "cfr+";
constexpr double kAccuracy = 1e-7;  // in big blinds; the limit on iterations mostly comes first

struct NestedGrid {
  std::vector<int64_t> iterations;  // per subgame, ascending
  int64_t whole_game;
};
NestedGrid make_nested_grid(bool quick) {
  if (quick) return {{10, 30, 100, 300}, 4'000};
  return {{10, 30, 100, 300, 1'000, 3'000, 10'000}, 100'000};
}

// One point: both seats solved for by one method.
struct NestedPoint {
  std::array<double, 2> loss = {};  // [seat]: to a best response in the large game
  std::array<double, 2> best_response = {};
  double mean = 0;
  double over_bound = 0;  // loss beyond what proposition 1 allows: not above 0
  size_t subgames = 0;
};

class NestedComparison {
 public:
  NestedComparison(const Context& context, const NestedSetting& setting)
      : context_(context),
        setting_(setting),
        grid_(make_nested_grid(context.quick)),
        game_(games::make_game(setting.game)),
        large_(solve::make_problem(*game_)),
        abstraction_(histories::drop_actions(*game_, large_.tree, setting.dropped)),
        small_(histories::make_small_game(large_.tree, abstraction_)) {}

  void run(Outcome& outcome) {
    solve_whole_games();
    translate();
    solve_nested();
    outcome.tables.push_back(make_table());
    outcome.charts.push_back(make_chart());
    for (Check& check : make_checks()) outcome.checks.push_back(std::move(check));
    outcome.notes.push_back(fmt::format(
        "{}: {} histories, the abstraction without {} has {}; exploitability within the games that "
        "were solved whole: {:.2g} chips (large), {:.2g} (small).",
        game_->name(), large_.tree.num_histories(), setting_.dropped,
        small_.problem.tree.num_histories(), whole_.certificate.exploitability,
        blueprint_.certificate.exploitability));
    if (num_assumed_ > 0) {
      outcome.notes.push_back(
          fmt::format("{}: in {} subgames of unsafe solving the hero's model has no opponent; all "
                      "private states counted alike there.",
                      game_->name(), num_assumed_));
    }
  }

 private:
  Solved solve(const Problem& problem) const {
    return solve_whole(context_, problem, kSolver, grid_.whole_game,
                       kAccuracy * setting_.big_blind);
  }

  // The large game for its value, the small one for the strategy that everything begins with, and
  // the large one with either player confined to the small one's moves: what cannot be improved on.
  void solve_whole_games() {
    const std::array confined = {histories::make_small_game(large_.tree, abstraction_, 0),
                                 histories::make_small_game(large_.tree, abstraction_, 1)};
    std::array<Solved, 2> confined_solved;
    core::parallel_for(4, context_.threads, [&](size_t task) {
      if (task == 0) whole_ = solve(large_);
      if (task == 1) blueprint_ = solve(small_.problem);
      if (task >= 2) confined_solved[task - 2] = solve(confined[task - 2].problem);
    });
    trunk_ = histories::expand_strategy(large_.tree, abstraction_, small_, blueprint_.strategy);
    Strategy floor = trunk_;
    for (size_t p = 0; p < 2; ++p) {
      copy_seat(p,
                histories::expand_strategy(large_.tree, abstraction_, confined[p],
                                           confined_solved[p].strategy),
                floor);
      // Each is off by at most twice its exploitability, the mean over seats by half of the sum.
      floor_error_ += confined_solved[p].certificate.exploitability;
    }
    floor_ = measure(floor);
    context_.say(fmt::format("{}: whole games solved", setting_.name));
  }

  void translate() {
    const std::vector<double> sizes = histories::bet_sizes(*game_, large_.tree);
    translation_ = measure(histories::translate(
        *game_, large_.tree, abstraction_, [&](uint32_t h) { return sizes[h]; }, trunk_));
  }

  void solve_nested() {
    const size_t n = grid_.iterations.size();
    std::array<std::vector<std::array<histories::NestedResult, 2>>, kMethodRows.size()> results;
    for (auto& row : results) row.resize(n);
    core::parallel_for(kMethodRows.size() * n * 2, context_.threads, [&](size_t task) {
      const size_t i = n - 1 - task / (2 * kMethodRows.size());  // the dearest first
      const size_t r = task / 2 % kMethodRows.size();
      const decompose::NestedMethod method = {decompose::make_method(kMethodRows[r].method),
                                              kMethodRows[r].expensive};
      results[r][i][task % 2] = histories::solve_nested(
          large_, abstraction_, task % 2, trunk_, method,
          {.algorithm = kSubgameSolver, .iterations = grid_.iterations[i], .stop = context_.stop});
    });
    points_.assign(kMethodRows.size(), std::vector<NestedPoint>(n));
    for (size_t r = 0; r < kMethodRows.size(); ++r) {
      for (size_t i = 0; i < n; ++i) points_[r][i] = measure(results[r][i]);
      for (const auto& seat : results[r].back()) num_assumed_ += seat.num_assumed();
    }
    context_.say(fmt::format("{}: nested subgames solved", setting_.name));
  }

  void copy_seat(size_t player, const Strategy& from, Strategy& to) const {
    const tree::Tree& tree = large_.tree;
    const uint32_t first = tree.slot_begin[tree.infoset_begin[player]];
    const uint32_t end = tree.slot_begin[tree.infoset_begin[player + 1]];
    std::copy(from.begin() + first, from.begin() + end, to.begin() + first);
  }

  NestedPoint measure(const Strategy& strategy) const {
    const solve::Certificate certificate = solve::certify(large_, strategy);
    const double value = whole_.certificate.value;  // Leduc is zero-sum
    return {.loss = {certificate.best_response[1] + value, certificate.best_response[0] - value},
            .best_response = certificate.best_response,
            .mean = certificate.exploitability};
  }

  NestedPoint measure(const std::array<histories::NestedResult, 2>& seats) const {
    Strategy strategy = trunk_;
    for (size_t p = 0; p < 2; ++p) copy_seat(p, seats[p].strategy, strategy);
    NestedPoint point = measure(strategy);
    point.over_bound = -std::numeric_limits<double>::infinity();
    for (size_t p = 0; p < 2; ++p) {
      const double allowed = blueprint_.certificate.best_response[1 - p] + seats[p].total_gain();
      point.over_bound = std::max(point.over_bound, point.best_response[1 - p] - allowed);
      point.subgames += seats[p].steps.size();
    }
    return point;
  }

  double mbb(double chips) const { return 1000 * chips / setting_.big_blind; }

  Table make_table() const {
    Table table{.name = setting_.name,
                .title = fmt::format("{} without {}: exploitability in the large game, subgames of "
                                     "{} iterations; big blind {} chips",
                                     game_->name(), setting_.dropped, grid_.iterations.back(),
                                     setting_.big_blind),
                .columns = {"answer to the third size", "paper, flop hold'em, mbb/h",
                            "as player one, chips", "as player two, chips", "mean, chips",
                            "mean, mbb", "times better than translation", "subgames"}};
    const auto add = [&](const char* label, Cell paper, const NestedPoint& point, bool is_nested) {
      table.rows.push_back({label, std::move(paper), point.loss[0], point.loss[1], point.mean,
                            mbb(point.mean), translation_.mean / point.mean,
                            cell_if(is_nested, point.subgames)});
    };
    add("pseudo-harmonic translation", kPaperTranslation, translation_, false);
    for (size_t r = 0; r < kMethodRows.size(); ++r) {
      add(kMethodRows[r].label, kMethodRows[r].paper, points_[r].back(), true);
    }
    add("best without the third size", {}, floor_, false);
    const double within = blueprint_.certificate.exploitability;
    table.rows.push_back({"the small game's equilibrium, in the small game", Cell(), Cell(), Cell(),
                          within, mbb(within), Cell(), Cell()});
    return table;
  }

  NamedChart make_chart() const {
    const std::vector<double> x(grid_.iterations.begin(), grid_.iterations.end());
    report::Chart chart{.title = game_->name(),
                        .x_label = "iterations per subgame",
                        .y_label = "exploitability, mbb"};
    const auto level = [&](const char* name, const NestedPoint& point) {
      chart.series.push_back({name, {x.front(), x.back()}, {mbb(point.mean), mbb(point.mean)}});
    };
    level("translation", translation_);
    for (size_t r = 0; r < kMethodRows.size(); ++r) {
      chart.series.push_back({kMethodRows[r].label, x, {}});
      for (const NestedPoint& point : points_[r]) chart.series.back().y.push_back(mbb(point.mean));
    }
    level("best without the third size", floor_);
    return {setting_.name, std::move(chart)};
  }

  std::vector<Check> make_checks() const {
    double worst = 0;
    double over = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    for (size_t r = 0; r < kMethodRows.size(); ++r) {
      if (kMethodRows[r].is_judged) worst = std::max(worst, points_[r].back().mean);
      for (const NestedPoint& point : points_[r]) {
        over = std::max(over, point.over_bound);
        least = std::min(least, point.mean);
      }
    }
    return {{fmt::format("{}: every method but unsafe at least {} times less exploitable than "
                         "translation",
                         setting_.name, kTimesBetter),
             fmt::format("{:.2f} times at least: {:.1f} against {:.1f} mbb",
                         translation_.mean / worst, mbb(worst), mbb(translation_.mean)),
             worst * kTimesBetter <= translation_.mean},
            {fmt::format(
                 "{}: proposition 1 (loss within the abstraction and the gains at moves outside "
                 "it bound the loss) for every method, seat and number of iterations",
                 setting_.name),
             fmt::format("largest loss minus bound {:.2g} chips", over), over <= 1e-9},
            {fmt::format("{}: nothing is below the best that can be done without the third size",
                         setting_.name),
             fmt::format("smallest {:.2f} mbb, best {:.2f} mbb up to {:.2f}", mbb(least),
                         mbb(floor_.mean), mbb(floor_error_)),
             least >= floor_.mean - floor_error_}};
  }

  const Context& context_;
  const NestedSetting& setting_;
  NestedGrid grid_;
  std::unique_ptr<games::Game> game_;
  Problem large_;
  ActionAbstraction abstraction_;
  SmallGame small_;
  Solved whole_, blueprint_;
  Strategy trunk_;  // the blueprint in the large game
  NestedPoint translation_, floor_;
  double floor_error_ = 0;
  std::vector<std::vector<NestedPoint>> points_;  // [row][point of the grid]
  size_t num_assumed_ = 0;
};

Outcome run_nested_leduc(const Context& context) {
  Outcome outcome;
  for (const NestedSetting& setting : kSettings) NestedComparison(context, setting).run(outcome);
  outcome.notes.insert(
      outcome.notes.end(),
      {"The paper's column is no-limit flop hold'em with bets of 0.5, 0.75 and 1 pot, the 0.75 "
       "dropped: another game, for orientation only.",
       "Exploitability as a player: what a best response with all sizes wins against it beyond the "
       "large game's value. The mean over seats does not depend on that value.",
       "Unsafe solving carries no criterion. A reason for its losses that fits, though it is not "
       "proven here: equilibria of a subgame are not unique, and the one found may be worth a lot "
       "to hands that enter it otherwise than assumed (as in Burch et al., figure 3).",
       "reach-maxmargin: gifts split by reach, lower bounds. Before an opponent's first move there "
       "is no gift: there it is maxmargin."});
  return outcome;
}

}  // namespace

TargetInfo nested_leduc() {
  return {"nested-leduc", "Brown and Sandholm, NIPS 2017, table 4 (our own game)",
          "nested solving against action translation in Leduc with three bet sizes",
          run_nested_leduc};
}

}  // namespace cleave::reproduce
