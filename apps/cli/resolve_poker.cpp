#include "resolve_poker.h"

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/stopwatch.h"
#include "decompose/graft.h"
#include "fmt/format.h"
#include "hands/piece.h"
#include "hands/plan.h"
#include "hands/profile.h"
#include "hands/spot_solver.h"
#include "interrupt.h"
#include "parameters.h"
#include "results.h"
#include "spot_results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

constexpr const char* kGraft = "graft";

// One line of a table: what a method makes of the trunk.
struct PokerRow {
  std::string method;
  bool safe = false;
  std::string condition;
  double exploitability = 0;
  std::array<double, 2> best_response = {};
};

// A trunk and what becomes of it.
struct PokerTrunk {
  std::string text;
  int64_t iterations = 0;
  PokerRow before;
  std::vector<PokerRow> rows;
  double seconds = 0;
  size_t subgames = 0;
};

class ResolvePoker {
 public:
  ResolvePoker(const ResolvePokerArguments& args, hands::Problem problem)
      : args_(args),
        progress_(args.quiet || args.json),
        problem_(std::make_shared<const hands::Problem>(std::move(problem))),
        top_(std::make_shared<const hands::HandsPiece>(problem_,
                                                       hands::parse_cuts(*problem_, args.cut))) {
    if (!problem_->locks.empty()) {
      throw core::InputError(
          "resolve: the spot has locked strategies; take its [[lock]] blocks out");
    }
    for (const std::string& name : args.methods) {
      if (name != kGraft) passes_.push_back(decompose::make_pass(name, ", graft"));
    }
    const bool one_trunk = !args.solution.empty() || args.blueprint_iterations.size() == 1;
    if (!args.out.empty() && (passes_.size() != 1 || args.methods.size() != 1 || !one_trunk)) {
      throw core::InputError(
          "--out needs one method that re-solves subgames and one trunk: a solution, or one number "
          "of --blueprint-iterations");
    }
    watch_.start();
  }

  void run() {
    if (!args_.solution.empty()) {
      const hands::PokerFile file(args_.solution);
      hands::SolverOptions options = file.options();
      options.threads = args_.options.threads;
      hands::plan_solve(*problem_, options);
      hands::SpotSolver solver(*problem_, options);
      file.load(solver, false);
      add_trunk(solver, args_.solution);
      return;
    }
    for (const int64_t iterations : args_.blueprint_iterations) {
      hands::SolverOptions options;
      options.algorithm = args_.blueprint;
      options.threads = args_.options.threads;
      options.planned_iterations = iterations;
      hands::plan_solve(*problem_, options);
      hands::SpotSolver solver(*problem_, options);
      while (solver.iterations() < iterations) {
        if (interrupted()) throw core::RunError("interrupted while the trunk was being solved");
        solver.iterate();
        progress_.show(fmt::format("trunk: {} of {} iterations", grouped(solver.iterations()),
                                   grouped(iterations)),
                       watch_.seconds());
      }
      add_trunk(solver, fmt::format("{}, {} iterations", args_.blueprint, grouped(iterations)));
    }
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = args_.game;
    out["cut"] = args_.cut;
    if (problem_->pot > 0) out["pot"] = problem_->pot;
    out["algorithm"] = args_.options.algorithm;
    out["iterations"] = args_.options.iterations;
    out["trunks"] = nlohmann::ordered_json::array();
    for (const PokerTrunk& trunk : trunks_) {
      nlohmann::ordered_json entry;
      entry["strategy"] = trunk.text;
      entry["subgames"] = trunk.subgames;
      entry["seconds"] = trunk.seconds;
      entry["before"] = row_json(trunk.before);
      entry["methods"] = nlohmann::ordered_json::array();
      for (const PokerRow& row : trunk.rows) {
        nlohmann::ordered_json one = row_json(row);
        one["method"] = row.method;
        one["safe"] = row.safe;
        one["condition"] = row.condition;
        entry["methods"].push_back(one);
      }
      out["trunks"].push_back(entry);
    }
    if (trunks_.size() == 1 && trunks_[0].rows.size() == 1) {
      out["before"] = row_json(trunks_[0].before);
      out["exploitability"] = trunks_[0].rows[0].exploitability;
    }
    if (!args_.out.empty()) out["out"] = args_.out;
    print_object(out);
  }

  void print_text() const {
    print_row("game", args_.game);
    print_row("cut", args_.cut);
    print_row("solved by", fmt::format("{}, {} iterations", args_.options.algorithm,
                                       grouped(args_.options.iterations)));
    for (const PokerTrunk& trunk : trunks_) {
      fmt::print("\n");
      print_row("trunk", trunk.text);
      print_row("subgames",
                fmt::format("{} solved in {}", grouped(static_cast<int64_t>(trunk.subgames)),
                            seconds_text(trunk.seconds)));
      fmt::print("\n{:<46}{:>14}{:>10}{:>11}{:>11}  {}\n", "method", "exploitability",
                 problem_->pot > 0 ? "of pot" : "", "1 concedes", "2 concedes", "safe");
      print_line("before", trunk.before, "");
      for (const PokerRow& row : trunk.rows) print_line(row.method, row, row.safe ? "yes" : "no");
    }
    if (!args_.out.empty()) print_row("strategy", args_.out);
    fmt::print("\nIn chips; 1 concedes what a best response of player 2 wins against player 1.\n");
    if (trunks_.size() == 1 && trunks_[0].rows.size() == 1) {
      fmt::print("{}: {}\n", trunks_[0].rows[0].method, trunks_[0].rows[0].condition);
    }
  }

 private:
  void add_trunk(hands::SpotSolver& solver, const std::string& text) {
    PokerTrunk trunk;
    trunk.text = text;
    const solve::Certificate before = solver.certify();
    trunk.before = {"before",
                    true,
                    "",
                    before.exploitability,
                    {before.best_response[0], before.best_response[1]}};
    const std::shared_ptr<hands::VectorEngine> engine(std::shared_ptr<void>(), &solver.engine());
    const auto profile = std::make_shared<hands::EngineProfile>(engine);
    const double begun = watch_.seconds();
    decompose::Resolution::Options options;
    options.solving = args_.options;
    options.passes = passes_;
    options.solving.progress = [&](size_t done, size_t all) {
      progress_.show(fmt::format("{}: re-solving, {} of {} deals", text, done, all),
                     watch_.seconds());
    };
    // What is put together again: the trunk, and every answer as it comes.
    std::unique_ptr<hands::SpotSolver> whole;
    std::unique_ptr<hands::EngineProfile> recombined;
    std::mutex mutex;
    if (!args_.out.empty()) {
      whole = std::make_unique<hands::SpotSolver>(*problem_, solver.options());
      profile->give(*top_->whole(), whole->engine());
      recombined = std::make_unique<hands::EngineProfile>(
          std::shared_ptr<hands::VectorEngine>(std::shared_ptr<void>(), &whole->engine()));
      options.take = [&](size_t hero, size_t, const decompose::Piece& piece,
                         decompose::Engine& answer) {
        const std::lock_guard lock(mutex);
        recombined->take(piece, answer, hero);
      };
    }
    if (!passes_.empty()) {
      decompose::Resolution resolution(top_, profile, problem_->reach, std::move(options));
      resolution.run();
      if (whole) whole->save_solution(args_.out, whole->certify());
      trunk.subgames = resolution.num_solved();
      for (size_t i = 0; i < passes_.size(); ++i) {
        PokerRow row{passes_[i].name, passes_[i].safe, passes_[i].condition, 0, {}};
        for (size_t p = 0; p < 2; ++p) {
          row.best_response[p] = resolution.best_response(i, p).value + problem_->shift();
        }
        row.exploitability = resolution.exploitability(i).value;
        trunk.rows.push_back(std::move(row));
      }
    }
    if (std::ranges::find(args_.methods, kGraft) != args_.methods.end()) {
      trunk.rows.push_back(graft(*profile, text));
    }
    trunk.seconds = watch_.seconds() - begun;
    progress_.clear();
    trunks_.push_back(std::move(trunk));
  }

  PokerRow graft(const hands::EngineProfile& profile, const std::string& text) {
    progress_.show(text + ": grafting", watch_.seconds());
    const auto best = decompose::graft(*top_, profile, problem_->reach,
                                       {.algorithm = args_.options.algorithm,
                                        .iterations = args_.options.iterations,
                                        .threads = args_.options.threads,
                                        .stop = args_.options.stop});
    return {kGraft,
            true,
            "never more exploitable than the trunk, at the price of solving the whole game",
            (best[0] + best[1]) / 2,
            {best[0] + problem_->shift(), best[1] + problem_->shift()}};
  }

  nlohmann::ordered_json row_json(const PokerRow& row) const {
    nlohmann::ordered_json out;
    out["exploitability"] = row.exploitability;
    if (problem_->pot > 0) out["exploitability_percent"] = 100 * row.exploitability / problem_->pot;
    out["best_response"] = row.best_response;
    return out;
  }

  void print_line(const std::string& name, const PokerRow& row, const std::string& safe) const {
    const std::string percent =
        problem_->pot > 0 ? fmt::format("{:.4f}%", 100 * row.exploitability / problem_->pot) : "";
    fmt::print("{:<46}{:>14.6g}{:>10}{:>11.5g}{:>11.5g}  {}\n", clipped(name, 45),
               row.exploitability, percent, row.best_response[1], row.best_response[0], safe);
  }

  const ResolvePokerArguments& args_;
  Progress progress_;
  std::shared_ptr<const hands::Problem> problem_;
  std::shared_ptr<const hands::HandsPiece> top_;
  std::vector<decompose::Pass> passes_;
  core::Stopwatch watch_;
  std::vector<PokerTrunk> trunks_;
};

}  // namespace

void resolve_poker(const ResolvePokerArguments& args, hands::Problem problem) {
  ResolvePoker resolve(args, std::move(problem));
  resolve.run();
  args.json ? resolve.print_json() : resolve.print_text();
}

}  // namespace cleave::cli
