#include "solve_tree.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/memory.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "paths.h"
#include "results.h"
#include "solve/checkpoint.h"
#include "solve/run.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

class TreeSolve final : public SolveRun {
 public:
  explicit TreeSolve(const SolveArguments& args)
      : SolveRun(args),
        rules_(games::make_game(args.game)),
        target_(chips(args)),
        problem_(solve::make_problem(*rules_, compile_options(progress_))) {
    task_.game = game_ = rules_->name();
    task_.algorithm = args.algorithm.empty() ? solve::kDefaultAlgorithm : args.algorithm;
    task_.options.seed = args.seed.value_or(1);
    task_.options.planned_iterations = args.iterations.value_or(0);
    if (resumes()) {
      resume();
    } else {
      solver_ = make_solver();
    }
    if (solver_->abstraction()) check_cells_place();
    algorithm_ = task_.algorithm;
    limits_.target = target_;
    solve::add_default_target(problem_, task_.algorithm, limits_);
  }

 private:
  static std::optional<double> chips(const SolveArguments& args) {
    if (!args.storage.empty()) {
      throw core::InputError(fmt::format(
          "--storage {}: only the engine of hold'em spots (.toml) has it", args.storage));
    }
    if (args.target.empty()) return std::nullopt;
    const auto target = solve::parse_target(args.target);
    if (target->percent) refuse_percent(args);
    return target->number;
  }

  // Where the cells of an abstraction go; empty if nowhere.
  std::string cells_path() const { return args_.out.empty() ? "" : tree::cells_path(args_.out); }

  // Whether there are cells to write is known only once the algorithm is.
  void check_cells_place() const {
    const std::string cells = cells_path();
    check_place(cells);
    for (const auto& [option, path] :
         {std::pair("--history", args_.history), std::pair("--checkpoint", args_.checkpoint)}) {
      if (cells.empty() || cells != path) continue;
      throw core::InputError(fmt::format(
          "{}: both the cells of --out {} and {} would be written there; give two files", cells,
          args_.out, option));
    }
  }

  solve::RunResult drive(const solve::Hooks& hooks) override {
    return solve::run(problem_, *solver_, limits_, threads_, hooks, record_);
  }
  int64_t iterations() const override { return solver_->iterations(); }
  void save_checkpoint(const solve::Record& record) override {
    solve::write_checkpoint(args_.checkpoint, problem_, task_, *solver_, record);
  }
  void write_strategy() override { solve::write_strategy(*rules_, problem_, *solver_, args_.out); }

  void add_json(nlohmann::ordered_json& out) const override {
    out["infosets"] = problem_.tree.num_infosets();
    out["histories"] = problem_.tree.num_histories();
    out["seed"] = task_.options.seed;
    out["memory_bytes"] = problem_.tree.bytes() + problem_.form.bytes();
    out["peak_memory_bytes"] = core::peak_process_bytes();
    if (const auto a = solver_->abstraction()) {
      out["abstraction"] = {{"cells", a->cells},
                            {"first_cells", a->first_cells},
                            {"most_cells", a->most_cells},
                            {"largest_response", a->largest_response},
                            {"strategy_bytes", a->strategy_bytes},
                            {"partition_bytes", a->partition_bytes},
                            {"response_bytes", a->response_bytes}};
      if (!cells_path().empty()) out["abstraction"]["file"] = cells_path();
    }
  }
  void print_head() const override {
    const tree::Tree& tree = problem_.tree;
    if (args_.show > 0) print_strategy(*rules_, tree, solver_->strategy(), args_.show);
    print_row("game", game_);
    print_row("size", fmt::format("{} histories, {} information sets",
                                  grouped(static_cast<int64_t>(tree.num_histories())),
                                  grouped(static_cast<int64_t>(tree.num_infosets()))));
  }
  void print_result() const override {
    if (const auto abstraction = solver_->abstraction()) print_abstraction(*abstraction);
    print_certificate(result_.certificate);
  }
  void print_abstraction(const solve::Abstraction& abstraction) const {
    const auto count = [](size_t number) { return grouped(static_cast<int64_t>(number)); };
    const size_t sets = problem_.tree.num_infosets();
    const double percent = 100 * static_cast<double>(abstraction.cells) /
                           static_cast<double>(std::max<size_t>(sets, 1));
    print_row("abstraction",
              fmt::format("{} cells for {} information sets ({:.3g}%), {} cells at the start",
                          count(abstraction.cells), count(sets), percent,
                          count(abstraction.first_cells)));
    if (!cells_path().empty()) print_row("", fmt::format("written to {}", cells_path()));
    const auto bytes = [](size_t number) { return bytes_text(static_cast<double>(number)); };
    print_row("memory",
              fmt::format("strategy {}, partition {}, best response {}",
                          bytes(abstraction.strategy_bytes), bytes(abstraction.partition_bytes),
                          bytes(abstraction.response_bytes)));
    print_row("", fmt::format("{} at the peak of this process, with the tree",
                              bytes(core::peak_process_bytes())));
  }
  std::string standing(double exploitability) const override {
    std::string text = fmt::format("exploitability {:.3g}", exploitability);
    if (const auto abstraction = solver_->abstraction()) {
      text += fmt::format("  {} cells", grouped(static_cast<int64_t>(abstraction->cells)));
    }
    return text;
  }
  std::string aim() const override { return fmt::format("{:.3g} chips", *limits_.target); }

  std::unique_ptr<solve::Solver> make_solver() const {
    solve::RunOptions options = task_.options;
    options.threads = threads_;
    return solve::make_solver(task_.algorithm, problem_, options);
  }

  void resume() {
    const solve::Checkpoint checkpoint(args_.checkpoint, problem_);
    require_same("of algorithm", args_.algorithm, checkpoint.task().algorithm);
    require_same("with --seed", args_.seed ? std::to_string(*args_.seed) : "",
                 std::to_string(checkpoint.task().options.seed));
    task_ = checkpoint.task();
    record_ = checkpoint.record();
    solver_ = make_solver();
    checkpoint.restore(*solver_);
  }

  std::unique_ptr<games::Game> rules_;
  std::optional<double> target_;
  solve::Problem problem_;
  solve::Task task_;
  std::unique_ptr<solve::Solver> solver_;
};

}  // namespace

std::unique_ptr<SolveRun> make_tree_solve(const SolveArguments& args) {
  return std::make_unique<TreeSolve>(args);
}

}  // namespace cleave::cli
