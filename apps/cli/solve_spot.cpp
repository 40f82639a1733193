#include "solve_spot.h"

#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "hands/plan.h"
#include "hands/spot_solver.h"
#include "poker_input.h"
#include "results.h"
#include "spot_results.h"

namespace cleave::cli {
namespace {

class SpotSolve final : public SolveRun {
 public:
  SpotSolve(const SolveArguments& args, hands::Problem problem) : SolveRun(args) {
    game_ = args.game;
    if (args.show > 0) {
      throw core::InputError(
          "--show lists information sets of small games; of a spot write --out FILE.h5 and look "
          "with `cleave show FILE.h5`");
    }
    set_limits(problem);
    options_.threads = threads_;
    options_.planned_iterations = args.iterations.value_or(0);
    if (!args.algorithm.empty()) options_.algorithm = args.algorithm;
    if (!args.storage.empty()) options_.storage = hands::parse_storage(args.storage);
    if (resumes()) {
      resume(std::move(problem));
    } else {
      build(std::move(problem));
    }
    algorithm_ = options_.algorithm;
  }

 private:
  void set_limits(const hands::Problem& problem) {
    const auto target = solve::parse_target(args_.target);
    if (target && target->percent && problem.pot == 0) refuse_percent(args_);
    if (!target && !limits_.none()) return;
    limits_.target = hands::target_chips(problem, target.value_or(hands::kDefaultTarget));
  }

  void build(hands::Problem problem) {
    const hands::ProblemSize size = hands::plan_solve(problem, options_);
    counts_ = size.counts;
    memory_ = static_cast<uint64_t>(size.bytes(options_.storage));
    if (core::extension_of(args_.out) == ".csv" && counts_.rows > hands::kMostCsvRows) {
      throw core::InputError(fmt::format(
          "{}: would have {} rows, and text is for up to {}; write .h5 and look with `cleave show`",
          args_.out, count_text(counts_.rows), count_text(hands::kMostCsvRows)));
    }
    progress_.show(fmt::format("preparing {}", bytes_text(memory_)), 0);
    solver_ = std::make_unique<hands::SpotSolver>(std::move(problem), options_);
  }

  void resume(hands::Problem problem) {
    const hands::PokerFile file(args_.checkpoint);
    const hands::SolverOptions saved = file.options();
    require_same("of algorithm", args_.algorithm, saved.algorithm);
    require_same("with --storage", args_.storage, hands::to_string(saved.storage));
    options_ = saved;
    options_.threads = threads_;
    record_ = file.record();
    build(std::move(problem));
    file.load(*solver_, true);
  }

  solve::RunResult drive(const solve::Hooks& hooks) override {
    return solve::run(*solver_, limits_, hooks, record_);
  }
  int64_t iterations() const override { return solver_->iterations(); }
  void save_checkpoint(const solve::Record& record) override {
    solver_->save(args_.checkpoint, record, true);
  }
  void write_strategy() override {
    if (core::extension_of(args_.out) == ".csv") {
      hands::write_strategy_csv(*solver_, args_.out);
      return;
    }
    solver_->save_solution(args_.out, result_.certificate);
  }

  void add_json(nlohmann::ordered_json& out) const override {
    add_spot_json(out, solver_->problem(), result_.certificate, counts_);
    out["storage"] = hands::to_string(options_.storage);
    out["memory_bytes"] = memory_;
  }
  void print_head() const override {
    const hands::Problem& problem = solver_->problem();
    print_row("game", game_);
    if (problem.pot > 0) {
      const auto& stack = problem.setup.tree.betting.stack;
      print_row("board", board_text(problem));
      print_row("pot",
                fmt::format("{:g} chips, {} and {} behind", problem.pot, stack[0], stack[1]));
    }
    print_row("size", fmt::format("{} information sets, {} in {}",
                                  count_text(counts_.infosets[0] + counts_.infosets[1]),
                                  bytes_text(memory_), hands::to_string(options_.storage)));
  }
  void print_result() const override {
    print_spot_certificate(solver_->problem(), result_.certificate);
  }
  std::string standing(double exploitability) const override {
    const double pot = solver_->problem().pot;
    return fmt::format("exploitability {:.3g} chips{}  {}", exploitability,
                       pot > 0 ? fmt::format(", {:.2g}% of pot", 100 * exploitability / pot) : "",
                       bytes_text(memory_));
  }
  std::string aim() const override { return chips_text(solver_->problem(), *limits_.target); }

  hands::SolverOptions options_;
  hands::Counts counts_;
  uint64_t memory_ = 0;
  std::unique_ptr<hands::SpotSolver> solver_;
};

}  // namespace

std::unique_ptr<SolveRun> make_spot_solve(const SolveArguments& args, hands::Problem problem) {
  return std::make_unique<SpotSolve>(args, std::move(problem));
}

}  // namespace cleave::cli
