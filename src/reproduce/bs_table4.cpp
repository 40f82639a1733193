#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "core/memory.h"
#include "core/stopwatch.h"
#include "decompose/nested.h"
#include "decompose/resolver.h"
#include "hands/profile.h"
#include "reproduce/holdem.h"
#include "reproduce/target.h"
#include "tree/archive.h"

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

// Progress with the time left and, while flops are solved, the result so far.
class Pace {
 public:
  explicit Pace(const Context& context) : context_(context) { watch_.start(); }

  // `what`: a method, or the game that is being solved. `estimate` is slow to ask for.
  void say(const std::string& what, size_t done, size_t all,
           const std::function<decompose::Estimate()>& estimate = {}) {
    const double now = watch_.seconds();
    if (what != what_) {
      what_ = what;
      begun_ = now;
      first_ = done;
      estimated_ = now;
      estimate_.clear();
    }
    if (estimate && now - estimated_ > kSecondsBetweenEstimates) {
      estimated_ = now;
      estimate_ = estimate_text(what, estimate());
    }
    std::string left;
    if (done > first_) {
      const double each = (now - begun_) / static_cast<double>(done - first_);
      left = fmt::format(", {} left", time_text(each * static_cast<double>(all - done)));
    }
    context_.say(fmt::format("{}: {} of {}{}{}", what, done, all, left, estimate_));
  }

 private:
  const Context& context_;
  core::Stopwatch watch_;
  std::string what_, estimate_;
  double begun_ = 0, estimated_ = 0;
  size_t first_ = 0;
};

// The game and how well all of it is solved.
struct NestedPlan {
  size_t flops = 0;                              // of the game; 0: all
  size_t deals = 0;                              // subgames of so many flops are solved; 0: all
  int64_t small = 0, preflop = 0, subgames = 0;  // iterations
};

// One game: its small abstraction solved, and every method's answers measured. What is finished is
// kept in files.
class NestedGame {
 public:
  // Of one method, chips; costs of runs before this one included.
  struct Result {
    decompose::Estimate exploitability;
    double gain = 0;  // proposition 1, mean over heroes
    double subgames = 0, seconds = 0, first_seconds = 0, done = 0;
    double small_exploitability = 0, small_seconds = 0;
  };

  NestedGame(const Context& context, const NestedPlan& plan, uint64_t seed, Pace& pace)
      : context_(context), plan_(plan), pace_(pace), results_("", "", 0, 0) {
    for (const NestedRow& row : kNestedRows) methods_.emplace_back(row.method);
    methods_.emplace_back("translation-anew");
    hands::Problem small = make_holdem("nested-small"), large = make_holdem("nested-large");
    if (plan.flops > 0) {
      for (hands::Problem* p : {&small, &large}) hands::sample_deals(p->setup, plan.flops, seed);
    }
    const hands::BetMap bets = hands::map_bets(small.setup.tree.betting, large.setup.tree);
    problem_ = std::make_shared<const hands::Problem>(std::move(large));
    for (size_t hero = 0; hero < 2; ++hero) {
      game_[hero] = std::make_shared<const hands::HandsPiece>(
          problem_, hands::Storage::kF32,
          std::make_shared<const hands::Outside>(hands::Outside{bets, hero}));
    }
    small_key_ = fmt::format("nested-small flops={} iterations={} seed={} game={}", plan.flops,
                             plan.small, seed, hash_of_game("nested-small"));
    key_ = fmt::format("nested flops={} small={} preflop={} subgames={} seed={} game={}{}",
                       plan.flops, plan.small, plan.preflop, plan.subgames, seed,
                       hash_of_game("nested-small"), hash_of_game("nested-large"));
    const std::string key =
        fmt::format("{} deals={} {}", key_, plan.deals, fmt::join(methods_, " "));
    results_ = decompose::Journal(work_path(context_, "nested", "results", key), key,
                                  methods_.size(), kFigures);
  }

  void run() {
    for (size_t m = 0; m < methods_.size(); ++m) {
      if (!results_.result(m).empty()) continue;
      if (!small_) solve_small();
      const Result r = methods_[m].starts_with(kTranslation) ? translate(m) : answer(m);
      const std::array<double, kFigures> figures = {
          r.exploitability.value, r.exploitability.error, r.gain,         r.subgames, r.seconds,
          r.first_seconds,        small_exploitability_,  small_seconds_, r.done};
      results_.add(m, {figures.begin(), figures.end()});
    }
  }

  Result result(size_t method) const {
    const std::vector<float>& x = results_.result(method);
    return {{x[0], x[1]}, x[2], x[3], x[4], x[5], x[8], x[6], x[7]};
  }
  size_t num_deals() const { return game_[0]->num_deals(); }

 private:
  static constexpr size_t kFigures = 9;
  static constexpr std::string_view kTranslation = "translation";

  // The averages of an engine, from a file if it has them under this key. Seconds that they took.
  static std::optional<double> load(const std::string& file, const std::string& key,
                                    hands::VectorEngine& engine) {
    if (!std::filesystem::exists(file)) return {};
    const tree::ArchiveFile archive(file);
    const tree::Archive head = archive.read();
    if (head.text("key") != key) return {};
    for (const tree::BulkArray& array : engine.arrays(false)) archive.read_bulk(array);
    engine.freeze();
    return head.real("seconds", 1)[0];
  }
  // The averages are all that a file has: nothing else is to be seen from here on.
  static void save(const std::string& file, const std::string& key, double seconds,
                   hands::VectorEngine& engine) {
    tree::Archive archive;
    archive.texts["key"] = key;
    archive.reals["seconds"] = {seconds};
    tree::write_archive(archive, file, engine.arrays(false));
    engine.freeze();
  }

  void solve_small() {
    const auto model = game_[0]->model();
    std::shared_ptr<hands::VectorEngine> engine = std::dynamic_pointer_cast<hands::VectorEngine>(
        std::shared_ptr<decompose::Engine>(model->engine(context_.threads)));
    const std::string file = work_path(context_, "nested", "small", small_key_);
    const auto kept = load(file, small_key_, *engine);
    if (!kept) {
      auto watch = core::Stopwatch::started();
      const solve::Schedule schedule = solve::make_schedule(kAlgorithm, plan_.small);
      for (int64_t t = 1; t <= plan_.small; ++t) {
        context_.check_stop();
        decompose::iterate_fixed(*engine, problem_->reach, schedule(t));
        pace_.say("small game", static_cast<size_t>(t), static_cast<size_t>(plan_.small));
      }
      save(file, small_key_, watch.seconds(), *engine);
      small_seconds_ = watch.seconds();
    }
    small_seconds_ = kept.value_or(small_seconds_);
    std::vector<double> values(problem_->reach[0].size());
    for (size_t p = 0; p < 2; ++p) {
      engine->best_response(p, problem_->reach[1 - p], values);
      small_exploitability_ += std::accumulate(values.begin(), values.end(), 0.0) / 2;
    }
    small_ = std::make_shared<const hands::EngineProfile>(engine);
  }

  Result translate(size_t method) const {
    pace_.say(methods_[method], 0, 1);
    const hands::TranslatedProfile profile(small_, problem_->setup.tree, game_[0]->bets(),
                                           methods_[method] != kTranslation);
    const hands::HandsPiece trunk(problem_, hands::parse_cuts(*problem_, "deal:2"));
    const auto engine = trunk.engine();
    profile.give(trunk, *engine);
    const decompose::Vectors values =
        decompose::values_of(profile, trunk, *engine, problem_->reach,
                             decompose::Follow::kBestResponse, context_.threads);
    Result result;
    for (const auto& own : values) {
      result.exploitability.value += std::accumulate(own.begin(), own.end(), 0.0) / 2;
    }
    result.done = static_cast<double>(num_deals());
    return result;
  }

  Result answer(size_t m) const {
    Result result;
    std::vector<std::string> answers;  // files that a run with more deals would want
    for (size_t hero = 0; hero < 2; ++hero) {
      const std::string key = fmt::format("{} {} hero={}", key_, methods_[m], hero);
      const std::string who = fmt::format("{}, player {}", methods_[m], hero + 1);
      decompose::NestedOptions options{.solving = {.algorithm = kAlgorithm,
                                                   .iterations = plan_.subgames,
                                                   .threads = context_.threads,
                                                   .stop = context_.stop},
                                       .first_iterations = plan_.preflop,
                                       .deals = plan_.deals,
                                       .file = work_path(context_, "nested", "subgames", key),
                                       .key = key};
      core::Stopwatch watch;
      const auto answer_key = [&](const std::string& name) {
        return fmt::format("{} {}", key, name);
      };
      const auto answer_file = [&](const std::string& name) {
        return work_path(context_, "nested", "answer", answer_key(name));
      };
      double recalled = 0;
      options.recall = [&](const std::string& name, decompose::Engine& engine) {
        answers.push_back(answer_file(name));
        watch.start();
        const auto seconds =
            load(answers.back(), answer_key(name), dynamic_cast<hands::VectorEngine&>(engine));
        recalled += seconds.value_or(0);
        return seconds.has_value();
      };
      options.keep = [&](const std::string& name, decompose::Engine& engine) {
        save(answer_file(name), answer_key(name), watch.seconds(),
             dynamic_cast<hands::VectorEngine&>(engine));
      };
      std::optional<decompose::Nested> nested;
      options.solving.progress = [&](size_t done, size_t all) {
        pace_.say(who, done, all, [&] { return nested->best_response(); });
      };
      pace_.say(who, 0, 1);
      nested.emplace(game_[hero], small_, problem_->reach, hero,
                     decompose::make_nested_method(methods_[m]), options);
      nested->run();
      const decompose::Estimate loss = nested->best_response();
      const decompose::Nested::Cost cost = nested->cost();
      // Errors of both players come from the same deals: they are added as they are.
      result.exploitability.value += loss.value / 2;
      result.exploitability.error += loss.error / 2;
      result.gain += nested->total_gain() / 2;
      result.subgames += cost.subgames;
      result.seconds += cost.seconds;
      result.first_seconds += cost.first_seconds + recalled;
      result.done = static_cast<double>(nested->num_done());
    }
    if (result.done == static_cast<double>(num_deals())) {
      for (const std::string& file : answers) std::filesystem::remove(file);
    }
    return result;
  }

  static constexpr const char* kAlgorithm = "dcfr(gamma=3)";

  const Context& context_;
  NestedPlan plan_;
  Pace& pace_;
  std::vector<std::string> methods_;
  std::shared_ptr<const hands::Problem> problem_;
  std::array<std::shared_ptr<const hands::HandsPiece>, 2> game_;  // [hero]
  std::string small_key_, key_;
  decompose::Journal results_;
  std::shared_ptr<const hands::EngineProfile> small_;  // none: not solved yet
  double small_exploitability_ = 0, small_seconds_ = 0;
};

class NestedTable {
 public:
  explicit NestedTable(const Context& context) : context_(context), pace_(context) {}

  Outcome run() {
    if (context_.quick) {
      plan_ = {context_.flops > 0 ? context_.flops : kFewFlops, 0, 400, 200, 100};
      for (uint64_t s = 0; s < kQuickSamples; ++s) add_sample(context_.seed + s);
    } else {
      plan_ = {0, context_.flops, 800, 400, 300};
      add_sample(context_.seed);
    }
    Outcome outcome{.tables = {make_table(), make_more()},
                    .charts = {make_chart()},
                    .checks = make_checks(),
                    .notes = make_notes()};
    if (!context_.quick) outcome.tables.push_back(make_growth());
    outcome.tables.push_back(make_costs());
    outcome.tables.push_back(size_table({"nested-small", "nested-large"}));
    return outcome;
  }

 private:
  static constexpr size_t kFewFlops = 4;
  static constexpr uint64_t kQuickSamples = 2;

  std::unique_ptr<NestedGame> run_game(const NestedPlan& plan, uint64_t seed) {
    auto game = std::make_unique<NestedGame>(context_, plan, seed, pace_);
    game->run();
    return game;
  }

  void add_sample(uint64_t seed) {
    const auto game = run_game(plan_, seed);
    double subgames = 0, seconds = 0, first_seconds = 0;
    for (size_t m = 0; m < samples_.size(); ++m) {
      const NestedGame::Result result = game->result(m);
      samples_[m].push_back(in_milli_blinds(result.exploitability));
      subgames += result.subgames;
      seconds += result.seconds;
      first_seconds += result.first_seconds;
    }
    const NestedGame::Result one = game->result(1);
    costs_.push_back({seed, game->num_deals(), one.done, one.small_seconds,
                      one.small_exploitability * kMilliBlinds, first_seconds, subgames,
                      subgames / seconds, static_cast<double>(core::peak_process_bytes()) / 1e6});
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

  Table make_table() const {
    Table table{.name = "exploitability",
                .title = "Exploitability of a player confined to the small abstraction, mbb/h",
                .columns = {"answer to 0.75 pot", "paper", "ours", "+-"}};
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
                .columns = {"answer to 0.75 pot"}};
    for (const NestedRow& row : kNestedRows) table.rows.push_back({row.label});
    std::unique_ptr<NestedGame> game;
    for (const int64_t n : kIterations) {
      game = run_game({kFewFlops, 0, 2000, 2000, n}, context_.seed);
      table.columns.push_back(fmt::format("{} iterations", n));
      for (size_t m = 0; m < kNestedRows.size(); ++m) {
        table.rows[m].emplace_back(game->result(m).exploitability.value * kMilliBlinds);
      }
    }
    table.columns.emplace_back("sum of gains");
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      const double gain = game->result(m).gain * kMilliBlinds;
      table.rows[m].push_back(cell_if(gain > 0, gain));
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
    report::Series paper{"paper", {}, {}}, ours{"ours", {}, {}};
    for (size_t m = 0; m < kNestedRows.size(); ++m) {
      for (report::Series* series : {&paper, &ours}) {
        series->x.push_back(static_cast<double>(m + 1));
      }
      paper.y.push_back(kNestedRows[m].paper);
      ours.y.push_back(value(m));
    }
    return {"exploitability",
            {.title = "Answers to bets outside the abstraction",
             .x_label = "row of table 4",
             .y_label = "mbb/h",
             .log_x = false,
             .series = {paper, ours}}};
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
          "Sum of gains: over all of the opponent's hands at all new bets, what the bet gets more "
          "than all moves before. This bounds what the answers cost (proposition 1). Re-solving "
          "makes the sum at each bet as small as it can be; maxmargin makes the largest gain of "
          "one hand small and lets all others grow up to it.");
    }
    return notes;
  }

  const Context& context_;
  Pace pace_;
  NestedPlan plan_;
  std::array<std::vector<decompose::Estimate>, kAnew + 1> samples_;  // [row][game], mbb/h
  std::vector<std::vector<Cell>> costs_;
};

}  // namespace

TargetInfo bs_table4() {
  return {"bs-table4", fmt::format("{}, table 4", kBrownSandholm),
          "flop hold'em: answers to bets outside the abstraction, nested solving and translation",
          [](const Context& context) { return NestedTable(context).run(); }};
}

}  // namespace cleave::reproduce
