#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "commands.h"
#include "core/error.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "interrupt.h"
#include "report/history.h"
#include "results.h"
#include "solve/checkpoint.h"
#include "solve/defaults.h"
#include "solve/run.h"
#include "terminal.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

struct SolveArguments {
  std::string game;
  std::string algorithm;
  std::optional<int64_t> iterations;
  std::optional<double> target;
  std::optional<double> seconds;
  int threads = 0;
  uint64_t seed = 1;
  std::string out;
  std::string history;
  std::string checkpoint;
  double checkpoint_every = 60;
  bool resume = false;
  int show = 0;
  bool json = false;
  bool quiet = false;
};

// "leduc.csv" -> "leduc.history.csv"
std::string history_beside(const std::string& out) {
  return std::filesystem::path(out).replace_extension(".history.csv").string();
}

// Wrong file names are found before hours of solving, not after.
void check_arguments(const SolveArguments& args) {
  if (!args.out.empty()) tree::check_strategy_path(args.out);
  if (args.resume && args.checkpoint.empty()) {
    throw core::InputError("--resume needs --checkpoint FILE: the file to continue from");
  }
  for (const std::string& path : {args.out, args.history, args.checkpoint}) {
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder)) {
      throw core::InputError(fmt::format("{}: there is no folder {}", path, folder.string()));
    }
  }
  if (!args.checkpoint.empty() && !args.resume && std::filesystem::exists(args.checkpoint)) {
    throw core::InputError(
        fmt::format("{}: already there; add --resume to continue it, or remove it to start again",
                    args.checkpoint));
  }
}

// One solve from options to result; the members are what its steps share.
class Solve {
 public:
  explicit Solve(const SolveArguments& args)
      : args_(args),
        progress_(args.quiet || args.json),
        game_(games::make_game(args.game)),
        problem_(solve::make_problem(*game_, compile_options(progress_))) {
    task_.game = game_->name();
    task_.algorithm = args.algorithm.empty() ? solve::kDefaultAlgorithm : args.algorithm;
    task_.options.seed = args.seed;
    task_.options.planned_iterations = args.iterations.value_or(0);
    threads_ = args.threads > 0 ? args.threads : core::hardware_threads();
    if (args.resume) {
      resume();
    } else {
      solver_ = make_solver();
    }
    limits_ = {args.iterations, args.target, args.seconds};
    const solve::SolverInfo& info = solve::find_solver(core::parse_call(task_.algorithm).name);
    if (!limits_.iterations && !limits_.target && !limits_.seconds && !info.exact) {
      limits_.target = solve::default_target(problem_, info.accuracy);
    }
  }

  void run() {
    solve::Hooks hooks;
    hooks.stop = &interrupted();
    hooks.checkpoint_seconds = args_.checkpoint_every;
    hooks.progress = [this](int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
      show_progress(iteration, seconds, latest);
    };
    if (!args_.checkpoint.empty()) {
      save_checkpoint(record_);  // a run that is killed at once can be resumed too
      hooks.checkpoint = [this](const solve::Record& record) { save_checkpoint(record); };
    }
    result_ = solve::run(problem_, *solver_, limits_, threads_, hooks, record_);
    progress_.clear();
    if (!args_.checkpoint.empty()) save_checkpoint(record_);
    strategy_ = solver_->strategy();
    if (!args_.out.empty()) tree::write_strategy(*game_, problem_.tree, strategy_, args_.out);
    history_path_ = !args_.history.empty() ? args_.history
                    : args_.out.empty()    ? ""
                                           : history_beside(args_.out);
    if (!history_path_.empty()) {
      report::write_history_csv({task_.game, task_.algorithm, record_.history}, history_path_);
    }
  }

  void print_json() const {
    const solve::Certificate& c = result_.certificate;
    nlohmann::ordered_json out;
    out["game"] = task_.game;
    out["algorithm"] = task_.algorithm;
    out["iterations"] = solver_->iterations();
    out["seconds"] = record_.seconds;
    out["exploitability"] = c.exploitability;
    out["value"] = c.value;
    out["best_response"] = c.best_response;
    out["infosets"] = problem_.tree.num_infosets();
    out["histories"] = problem_.tree.num_histories();
    out["stopped"] = solve::to_string(result_.stopped);
    out["threads"] = threads_;
    out["seed"] = task_.options.seed;
    out["memory_bytes"] = problem_.tree.bytes() + problem_.form.bytes();
    if (limits_.target) out["target"] = *limits_.target;
    if (!args_.out.empty()) out["strategy"] = args_.out;
    if (!history_path_.empty()) out["history"] = history_path_;
    if (!args_.checkpoint.empty()) out["checkpoint"] = args_.checkpoint;
    fmt::print("{}\n", out.dump(2));
  }

  void print_text() const {
    const tree::Tree& tree = problem_.tree;
    if (args_.show > 0) print_strategy(*game_, tree, strategy_, args_.show);
    print_row("game", fmt::format("{}: {} histories, {} information sets", task_.game,
                                  grouped(static_cast<int64_t>(tree.num_histories())),
                                  grouped(static_cast<int64_t>(tree.num_infosets()))));
    print_row("algorithm", task_.algorithm);
    const auto iterations = static_cast<double>(solver_->iterations());
    print_row("iterations",
              fmt::format(
                  "{} in {} ({}/s)", grouped(solver_->iterations()), seconds_text(record_.seconds),
                  grouped(static_cast<int64_t>(iterations / std::max(record_.seconds, 1e-9)))));
    print_certificate(result_.certificate);
    print_row("stopped", why());
    if (!args_.out.empty()) print_row("strategy", args_.out);
    if (!history_path_.empty()) print_row("history", history_path_);
    if (!args_.checkpoint.empty()) print_row("checkpoint", args_.checkpoint);
  }

 private:
  std::unique_ptr<solve::Solver> make_solver() const {
    solve::RunOptions options = task_.options;
    options.threads = threads_;
    return solve::make_solver(task_.algorithm, problem_, options);
  }

  void resume() {
    if (!std::filesystem::exists(args_.checkpoint)) {
      progress_.note(fmt::format("cleave: no checkpoint at {} yet: starting from the beginning",
                                 args_.checkpoint));
      solver_ = make_solver();
      return;
    }
    const solve::Checkpoint checkpoint(args_.checkpoint, problem_);
    if (!args_.algorithm.empty() && args_.algorithm != checkpoint.task().algorithm) {
      throw core::InputError(fmt::format("{}: a checkpoint of algorithm {}; it cannot go on as {}",
                                         args_.checkpoint, checkpoint.task().algorithm,
                                         args_.algorithm));
    }
    task_ = checkpoint.task();
    record_ = checkpoint.record();
    solver_ = make_solver();
    checkpoint.restore(*solver_);
  }

  void save_checkpoint(const solve::Record& record) const {
    solve::write_checkpoint(args_.checkpoint, problem_, task_, *solver_, record);
  }

  void show_progress(int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
    const double rate = static_cast<double>(iteration) / std::max(seconds, 1e-9);
    std::string line = fmt::format("{} it  exploitability {:.3g}  {}/s  {}", grouped(iteration),
                                   latest.exploitability, grouped(static_cast<int64_t>(rate)),
                                   seconds_text(seconds));
    if (const auto left = time_left(iteration, seconds)) {
      line += fmt::format("  {} left", seconds_text(*left));
    }
    progress_.show(line, seconds);
  }

  // From the limits, and from the slope of the convergence in log-log terms where there is a
  // target.
  std::optional<double> time_left(int64_t iteration, double seconds) const {
    std::optional<double> left;
    const auto consider = [&](double value) {
      if (value >= 0 && (!left || value < *left)) left = value;
    };
    if (limits_.iterations) {
      consider(seconds * static_cast<double>(*limits_.iterations - iteration) /
               static_cast<double>(std::max<int64_t>(iteration, 1)));
    }
    if (limits_.seconds) consider(*limits_.seconds - seconds);
    if (limits_.target) {
      if (const auto end = report::time_to_target(record_.history, *limits_.target)) {
        consider(*end - seconds);
      }
    }
    return left;
  }

  std::string why() const {
    switch (result_.stopped) {
      case solve::Stopped::kFinished:
        return "the algorithm is done";
      case solve::Stopped::kTarget:
        return fmt::format("target of {:.3g} chips reached", *limits_.target);
      case solve::Stopped::kIterations:
        return fmt::format("limit of {} iterations reached", grouped(*limits_.iterations));
      case solve::Stopped::kSeconds:
        return fmt::format("limit of {} reached", seconds_text(*limits_.seconds));
      case solve::Stopped::kInterrupted:
        return args_.checkpoint.empty()
                   ? "interrupted; what was reached so far stands above"
                   : fmt::format("interrupted; continue with --checkpoint {} --resume",
                                 args_.checkpoint);
    }
    return "";
  }

  const SolveArguments& args_;
  Progress progress_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;
  solve::Task task_;
  int threads_ = 1;
  std::unique_ptr<solve::Solver> solver_;
  solve::Limits limits_;
  solve::Record record_;
  solve::RunResult result_;
  tree::Strategy strategy_;
  std::string history_path_;
};

std::string algorithm_help() {
  std::string names;
  for (const auto& info : solve::all_solvers()) names += (names.empty() ? "" : ", ") + info.name;
  return fmt::format("One of {}; with parameters as in 'dcfr(gamma=3)'. Default: {}", names,
                     solve::kDefaultAlgorithm);
}

}  // namespace

void add_solve(CLI::App& app) {
  auto* command = app.add_subcommand("solve", "Solve a game and certify the answer");
  auto args = std::make_shared<SolveArguments>();
  command->add_option("GAME", args->game, "Built-in game or path of an .efg file")->required();
  command->add_option("--algorithm", args->algorithm, algorithm_help());
  command->add_option("--iterations", args->iterations, "Stop after so many iterations in total")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command
      ->add_option("--target", args->target,
                   "Stop at this exploitability, in chips. Default: a small part of the payoffs")
      ->check(CLI::PositiveNumber);
  command->add_option("--seconds", args->seconds, "Stop after so many seconds of solving")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_option("--seed", args->seed, "Seed of the sampling algorithms. Default: 1");
  command->add_option("--out", args->out, "Write the strategy here: .csv or .h5");
  command->add_option("--history", args->history,
                      "Write the convergence here, CSV. Default: beside --out");
  command->add_option("--checkpoint", args->checkpoint, "Save the state here, again and again");
  command
      ->add_option("--checkpoint-every", args->checkpoint_every,
                   "Seconds between checkpoints. Default: 60")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--resume", args->resume, "Continue from --checkpoint");
  command->add_option("--show", args->show, "Print the strategy at the first N information sets")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] {
    catch_interrupts();
    check_arguments(*args);
    Solve solve(*args);
    solve.run();
    args->json ? solve.print_json() : solve.print_text();
  });
}

}  // namespace cleave::cli
