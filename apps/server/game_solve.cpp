#include "core/error.h"
#include "fmt/format.h"
#include "report/history.h"
#include "server/game_runs.h"
#include "solve/run.h"

namespace cleave::server {
namespace {

constexpr double kMostSeconds = 1e6;

// A linear program cannot be stopped, and takes some ten seconds for this many actions.
constexpr size_t kMostProgramSlots = 20'000;

struct GameSolve {
  std::shared_ptr<const OpenGame> game;
  std::string name;
  bool overwrite = false;
  std::string algorithm;
  solve::RunOptions options;
  solve::Limits limits;

  // Files that will be there at the end; throws where one is there that may not be replaced.
  std::string strategy_place(const Workspace& workspace) const {
    return workspace.place(name + ".csv", {".csv"}, overwrite);
  }
  std::string history_place(const Workspace& workspace) const {
    return workspace.place(name + ".history.csv", {".csv"}, overwrite);
  }
};

Json run_solve(const GameSolve& task, const Workspace& workspace, JobContext& context) {
  // Another job may have written there since this one was asked for.
  const std::string strategy_path = task.strategy_place(workspace);
  const std::string history_path = task.history_place(workspace);
  const solve::Problem& problem = task.game->problem();
  const auto solver = solve::make_solver(task.algorithm, problem, task.options);
  if (solver->abstraction()) {
    workspace.place(task.name + ".cells.csv", {".csv"}, task.overwrite);
  }
  solve::Record record;
  solve::Hooks hooks;
  hooks.stop = &context.stop();
  hooks.progress = [&](int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
    context.report(run_progress(
        fmt::format("iteration {}, exploitability {:.3g} chips", iteration, latest.exploitability),
        seconds, solve::time_left(task.limits, iteration, seconds, record.history), iteration,
        record.history));
  };
  const solve::RunResult result =
      solve::run(problem, *solver, task.limits, task.options.threads, hooks, record);
  if (solver->iterations() == 0) {
    throw core::RunError("stopped before the first iteration: there is nothing to save");
  }
  solve::write_strategy(task.game->game(), problem, *solver, strategy_path);
  report::write_history_csv({task.game->name(), task.algorithm, record.history}, history_path);
  Json out = certificate_json(result.certificate);
  out["strategy"] = workspace.name_of(strategy_path);
  out["history"] = workspace.name_of(history_path);
  out["iterations"] = solver->iterations();
  out["seconds"] = record.seconds;
  out["points"] = points_json(record.history);
  return out;
}

GameSolve read_solve(GameCache& cache, int threads, const Arguments& arguments) {
  GameSolve task;
  task.game = cache.game(arguments.text("game"));
  task.name = arguments.text("name");
  task.overwrite = arguments.flag_or("overwrite", false);
  task.algorithm = arguments.text_or("algorithm", "");
  if (task.algorithm.empty()) task.algorithm = solve::kDefaultAlgorithm;
  if (arguments.has("iterations")) {
    task.limits.iterations = arguments.whole("iterations", 1, kMostGameIterations);
  }
  if (arguments.has("target")) task.limits.target = arguments.number("target", 1e-12, 1e12);
  if (arguments.has("seconds")) {
    task.limits.seconds = arguments.number("seconds", 1e-3, kMostSeconds);
  }
  task.options.seed = static_cast<uint64_t>(arguments.whole_or("seed", 1, 0, INT64_MAX));
  task.options.threads = threads;
  task.options.planned_iterations = task.limits.iterations.value_or(0);
  const solve::SolverInfo& info = solve::find_solver(core::parse_call(task.algorithm).name);
  const solve::Problem& problem = task.game->problem();
  refuse_large_program(*task.game, info);
  solve::add_default_target(problem, task.algorithm, task.limits);
  solve::make_solver(task.algorithm, problem, task.options);  // says now what it cannot do
  return task;
}

Json add_solve(Services& services, const Arguments& arguments) {
  GameSolve task = read_solve(services.games, services.threads, arguments);
  task.strategy_place(services.workspace);
  task.history_place(services.workspace);
  const std::string title = fmt::format("{}, {}", task.game->name(), task.algorithm);
  return services.jobs.add("solve-game", title, arguments.all(),
                           [task = std::move(task), &services](JobContext& context) {
                             return run_solve(task, services.workspace, context);
                           });
}

}  // namespace

Json run_progress(const std::string& text, double seconds, std::optional<double> left,
                  int64_t iteration, const std::vector<solve::HistoryPoint>& points) {
  Json share = nullptr;
  if (left) share = seconds + *left > 0 ? seconds / (seconds + *left) : 1.0;
  return {{"text", text},
          {"share", share},
          {"seconds", seconds},
          {"left", left ? Json(*left) : Json(nullptr)},
          {"iteration", iteration},
          {"exploitability", points.empty() ? Json(nullptr) : Json(points.back().exploitability)},
          {"points", points_json(points)}};
}

void refuse_large_program(const OpenGame& game, const solve::SolverInfo& info) {
  if (info.name != "lp" || game.tree().num_slots() <= kMostProgramSlots) return;
  throw core::InputError(
      fmt::format("{} has {} actions at information sets; a linear program of more than {} takes "
                  "long and cannot be stopped: choose another algorithm, or use the command line "
                  "(`cleave solve`)",
                  game.name(), game.tree().num_slots(), kMostProgramSlots));
}

void add_game_solve(Routes& routes, Services& services) {
  routes.post["/api/game/solve"] = [&services](const Arguments& arguments) {
    return add_solve(services, arguments);
  };
}

}  // namespace cleave::server
