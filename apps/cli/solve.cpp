#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/number.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
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
  std::optional<uint64_t> seed;
  std::string out;
  std::string history;
  std::string checkpoint;
  double checkpoint_every = 60;
  bool resume = false;
  int show = 0;
  bool json = false;
  bool quiet = false;
};

// Beside the strategy unless said otherwise: "leduc.csv" -> "leduc.history.csv". Empty for none.
std::string history_path(const SolveArguments& args) {
  if (!args.history.empty() || args.out.empty()) return args.history;
  return std::filesystem::path(args.out).replace_extension(".history.csv").string();
}

// Wrong file names are found before hours of solving, not after.
void check_arguments(const SolveArguments& args) {
  if (!args.out.empty()) tree::check_strategy_path(args.out);
  if (args.resume && args.checkpoint.empty()) {
    throw core::InputError("--resume needs --checkpoint FILE: the file to continue from");
  }
  for (const std::string& path : {args.out, history_path(args), args.checkpoint}) {
    check_place(path);
  }
  const std::vector<std::pair<const char*, std::string>> written = {
      {"--out", args.out}, {"--history", history_path(args)}, {"--checkpoint", args.checkpoint}};
  for (size_t i = 0; i < written.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (written[i].second.empty() || written[i].second != written[j].second) continue;
      throw core::InputError(
          fmt::format("{}: both {} and {} would be written there; give two files",
                      written[i].second, written[j].first, written[i].first));
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
        history_path_(history_path(args)),
        progress_(args.quiet || args.json),
        game_(games::make_game(args.game)),
        problem_(solve::make_problem(*game_, compile_options(progress_))) {
    task_.game = game_->name();
    task_.algorithm = args.algorithm.empty() ? solve::kDefaultAlgorithm : args.algorithm;
    task_.options.seed = args.seed.value_or(1);
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
    print_object(out);
  }

  void print_text() const {
    const tree::Tree& tree = problem_.tree;
    if (args_.show > 0) print_strategy(*game_, tree, strategy_, args_.show);
    print_row("game", task_.game);
    print_row("size", fmt::format("{} histories, {} information sets",
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
    const uint64_t seed = checkpoint.task().options.seed;
    if (args_.seed && *args_.seed != seed) {
      throw core::InputError(fmt::format("{}: a checkpoint with --seed {}; it cannot go on with {}",
                                         args_.checkpoint, seed, *args_.seed));
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
  const std::string history_path_;
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
};

std::string refusal(const std::string& text, const char* allowed) {
  return fmt::format("'{}'; allowed is {}", text, allowed);
}

// CLI11's own checks let "nan" and negative seeds pass, and print the largest number in full.
CLI::Validator number(const char* allowed, bool (*good)(double)) {
  return {[=](const std::string& text) {
            const auto value = core::parse_number<double>(text);
            return value && std::isfinite(*value) && good(*value) ? "" : refusal(text, allowed);
          },
          "", ""};
}

CLI::Validator whole_number() {
  return {[](const std::string& text) {
            return core::parse_number<uint64_t>(text)
                       ? ""
                       : refusal(text, "a whole number from 0 to 2^64 - 1");
          },
          "", ""};
}

}  // namespace

void add_solve(CLI::App& app) {
  auto* command = app.add_subcommand("solve", "Solve a game and certify the answer");
  auto args = std::make_shared<SolveArguments>();
  command->add_option("GAME", args->game, "Built-in game or path of an .efg file")->required();
  command->add_option("--algorithm", args->algorithm,
                      fmt::format("See `cleave algorithms`; also as 'dcfr(gamma=3)'. Default: {}",
                                  solve::kDefaultAlgorithm));
  command->add_option("--iterations", args->iterations, "Stop after so many iterations in total")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command
      ->add_option("--target", args->target,
                   "Stop at this exploitability, in chips. Default: a small one")
      ->check(number("a number above 0", [](double x) { return x > 0; }));
  command->add_option("--seconds", args->seconds, "Stop after so many seconds of solving")
      ->check(number("a number above 0", [](double x) { return x > 0; }));
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_option("--seed", args->seed, "Seed of the sampling algorithms. Default: 1")
      ->check(whole_number());
  command->add_option("--out", args->out, "Write the strategy here: .csv or .h5");
  command->add_option("--history", args->history,
                      "Write the convergence here, CSV. Default: beside --out");
  command->add_option("--checkpoint", args->checkpoint, "Save the state here, again and again");
  command
      ->add_option("--checkpoint-every", args->checkpoint_every,
                   "Seconds between checkpoints. Default: 60")
      ->check(number("a number of at least 0", [](double x) { return x >= 0; }));
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
