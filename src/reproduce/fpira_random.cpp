#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/threads.h"
#include "reproduce/fpira_games.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

// A number of the paper's, over its games.
struct Spread {
  double mean = 0;
  double deviation = 0;
};

// Sizes are taken when each of these exploitabilities is reached: how they grow with accuracy.
struct Family {
  int depth;
  int games, quick_games;
  std::vector<double> targets;
  Spread paper_sets, paper_percent;
};
const std::vector<Family>& families() {
  static const std::vector<Family> list = {
      {7, 50, 4, {0.05, 0.025, 0.01}, {2.6e4, 4e3}, {4.9, 0.7}},
      {8, 30, 0, {0.05}, {1.1e5, 3e4}, {1.2, 0.3}}};
  return list;
}
constexpr size_t kQuickStages = 2;

struct Game {
  const Family* family;
  int seed = 0;
  SetCounts sets = {};
  std::vector<RunFigures> stages = {};  // [target]
};

class Sample {
 public:
  explicit Sample(const Context& context) : context_(for_threads(context)) {
    for (const Family& family : families()) {
      const int n = context.quick ? family.quick_games : family.games;
      for (int seed = 1; seed <= n; ++seed) games_.push_back({&family, seed});
    }
  }

  Outcome run() {
    std::atomic<size_t> done = 0;
    core::parallel_for(games_.size(), context_.threads, [&](size_t i) {
      solve(games_[games_.size() - 1 - i]);  // the dearest first
      context_.say(fmt::format("{} of {} games done", ++done, games_.size()));
    });
    Outcome outcome;
    outcome.tables = {make_summary(), make_games()};
    for (const Family& family : families()) check_family(family, outcome.checks);
    outcome.notes = make_notes();
    return outcome;
  }

 private:
  void solve(Game& game) const {
    const std::string spec = cermak_random_game(game.family->depth, game.seed);
    const auto counted = make_counted_game(context_, spec);
    game.sets = *counted;
    game.stages =
        run_through(context_, *counted,
                    {.algorithm = fpira_spec("merge"),
                     .label = fmt::format("depth {}, seed {}", game.family->depth, game.seed)},
                    targets(*game.family));
  }

  std::vector<double> targets(const Family& family) const {
    std::vector<double> result = family.targets;
    if (context_.quick) result.resize(std::min(result.size(), kQuickStages));
    return result;
  }
  bool has(const Family& family) const { return games_.back().family->depth >= family.depth; }

  template <class Figure>
  Spread over(const Family& family, const Figure& figure) const {
    double n = 0, sum = 0, squares = 0;
    for (const Game& game : games_) {
      if (game.family != &family) continue;
      n += 1;
      sum += figure(game);
    }
    for (const Game& game : games_) {
      if (game.family == &family) squares += std::pow(figure(game) - sum / n, 2);
    }
    return {sum / n, std::sqrt(squares / (n - 1))};
  }

  Table make_summary() const {
    Table table{.name = "summary",
                .title = "Mean over the games and standard deviation; the paper's gap is 0.01",
                .columns = {"depth", "gap", "what", "paper: mean", "paper: deviation", "mean",
                            "deviation"}};
    for (const Family& family : families()) {
      if (!has(family)) continue;
      const auto row = [&](const Cell& gap, const char* what, const std::optional<Spread>& paper,
                           const Spread& ours) {
        table.rows.push_back({family.depth, gap, what, paper ? paper->mean : Cell(),
                              paper ? paper->deviation : Cell(), ours.mean, ours.deviation});
      };
      const auto sets = [&](double SetCounts::*count) {
        const Spread spread = over(family, [&](const Game& game) { return game.sets.*count; });
        return Spread{std::round(spread.mean), std::round(spread.deviation)};
      };
      row({}, "information sets with ends", family.paper_sets, sets(&SetCounts::with_ends));
      row({}, "information sets, acting", {}, sets(&SetCounts::acting));
      for (size_t stage = 0; stage < targets(family).size(); ++stage) {
        const auto percent = [&](size_t solve::Abstraction::*part, double SetCounts::*whole) {
          return over(family, [&](const Game& game) {
            return 100 * static_cast<double>(game.stages[stage].abstraction.*part) /
                   game.sets.*whole;
          });
        };
        const double gap = 2 * targets(family)[stage];
        row(gap, "abstraction, % with ends", family.paper_percent,
            percent(&solve::Abstraction::cells, &SetCounts::with_ends));
        row(gap, "abstraction, % acting", {},
            percent(&solve::Abstraction::cells, &SetCounts::acting));
        row(gap, "largest best response, % with ends", {},
            percent(&solve::Abstraction::largest_response, &SetCounts::with_ends));
        row(gap, "iterations", {}, over(family, [&](const Game& game) {
              return static_cast<double>(game.stages[stage].iterations);
            }));
      }
    }
    return table;
  }

  Table make_games() const {
    Table table{.name = "games",
                .title = "Each game",
                .columns = {"depth", "seed", "gap", "sets with ends", "sets, acting", "first cells",
                            "cells", "% with ends", "% acting", "iterations", "seconds"}};
    for (const Game& game : games_) {
      for (size_t stage = 0; stage < game.stages.size(); ++stage) {
        const RunFigures& run = game.stages[stage];
        table.rows.push_back({game.family->depth, game.seed, 2 * targets(*game.family)[stage],
                              game.sets.with_ends, game.sets.acting, run.abstraction.first_cells,
                              run.cells(), 100 * run.cells() / game.sets.with_ends,
                              100 * run.cells() / game.sets.acting, run.iterations, run.seconds});
      }
    }
    return table;
  }

  void check_family(const Family& family, std::vector<Check>& checks) const {
    if (!has(family)) return;
    int n = 0, reached = 0;
    for (const Game& game : games_) {
      if (game.family != &family) continue;
      ++n;
      reached += game.stages.back().reached ? 1 : 0;
    }
    checks.push_back({fmt::format("depth {}: every game reaches a gap of {}", family.depth,
                                  2 * targets(family).back()),
                      fmt::format("{} of {}", reached, n), reached == n});
    const Spread sets = over(family, [](const Game& game) { return game.sets.with_ends; });
    const Spread& paper = family.paper_sets;
    checks.push_back(
        {fmt::format("depth {}: information sets with ends, mean within the paper's {} +- {}",
                     family.depth, paper.mean, paper.deviation),
         fmt::format("{:.0f} +- {:.0f}", sets.mean, sets.deviation),
         std::abs(sets.mean - paper.mean) <= paper.deviation});
  }

  std::vector<std::string> make_notes() const {
    std::vector<std::string> notes = cermak_notes(
        {"Games: random(branching=5,observations=4) of the depth given, seeds from 1 on. The paper "
         "does not say how many signals an action may show; four give games of the paper's size. "
         "Cells: merge.",
         "The paper stops at a gap of 0.01. Here sizes are taken at looser ones, on the way: "
         "fictitious play needs some hundred thousand iterations for 0.01, hours for all games. "
         "Sizes grow slowly with accuracy, as the rows show.",
         "As many games at a time as threads, each on one thread; seconds are of one game so."});
    if (context_.quick) {
      notes.push_back(fmt::format("The short form: {} games of depth {}.",
                                  families()[0].quick_games, families()[0].depth));
    }
    return notes;
  }

  const Context context_;
  std::vector<Game> games_;
};

}  // namespace

TargetInfo fpira_random() {
  return {"fpira-random", fmt::format("{}, section 5.1, random games", kCermak),
          "80 random games of depth 7 and 8 by FPIRA: how small the abstraction stays",
          [](const Context& context) { return Sample(context).run(); }};
}

}  // namespace cleave::reproduce
