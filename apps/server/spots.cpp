#include <memory>

#include "core/error.h"
#include "core/units.h"
#include "fmt/format.h"
#include "hands/plan.h"
#include "report/history.h"
#include "server/game_runs.h"
#include "server/solutions.h"
#include "server/spot_form.h"

namespace cleave::server {
namespace {

constexpr size_t kLongestSpot = 256 * 1024;  // bytes of a spot's text

Json range_reply(const Arguments& args) {
  poker::Range range;
  if (args.has("weights")) {
    const auto weights = args.numbers("weights", poker::kNumCombos);
    if (weights.size() != poker::kNumCombos) {
      throw core::InputError(fmt::format("weights: {} where {} are needed, one for each hand",
                                         weights.size(), poker::kNumCombos));
    }
    for (size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] >= 0 && weights[i] <= 1)) {
        throw core::InputError("weights: allowed are numbers from 0 to 1");
      }
      range.weight[i] = static_cast<float>(weights[i]);
    }
  } else {
    range = poker::parse_range(args.text("text", kLongestSpot));
  }
  return {{"text", poker::to_text(range)},
          {"weights", range.weight},
          {"hands", poker::num_hands(range)}};
}

Json check_spot(const Arguments& args) {
  const poker::Spot spot = read_spot_text(args.text("text", kLongestSpot), "spot");
  const hands::Problem problem = hands::make_problem(spot);
  const hands::ProblemSize size = hands::measure(problem, {});
  const hands::Counts& counts = size.counts;
  if (!problem.locks.empty()) {
    hands::place_locks(problem, hands::make_layout(hands::sketch_layout(problem.setup), 1));
  }
  Json out;
  out["spot"] = spot_form(spot);
  out["text"] = problem.text;
  out["streets"] = Json::array();
  for (size_t s = 0; s < counts.streets.size(); ++s) {
    const hands::StreetCounts& street = counts.streets[s];
    out["streets"].push_back({{"name", problem.street_names[s]},
                              {"boards", street.boards},
                              {"dealt", street.dealt},
                              {"nodes", street.nodes()},
                              {"decisions", street.decisions}});
  }
  out["infosets"] = counts.infosets;
  out["histories"] = counts.histories;
  for (const hands::Storage storage : hands::kStorages) {
    out["memory"][hands::to_string(storage)] = static_cast<uint64_t>(size.bytes(storage));
  }
  out["file_bytes"] = counts.cells * sizeof(float);
  out["available_bytes"] = size.available;
  out["warning"] = size.bytes(hands::Storage::kI16) > static_cast<double>(size.available)
                       ? "This does not fit into the memory that is free: take fewer "
                         "sizes, or narrower ranges."
                       : "";
  return out;
}

solve::Target read_target(const Arguments& args) {
  if (!args.has("target")) return hands::kDefaultTarget;
  const std::string text = args.text("target");
  if (const auto target = solve::parse_target(text)) return *target;
  throw core::InputError(fmt::format(
      "target '{}': allowed is a part of the pot such as 0.1%, or a number of chips", text));
}

// A solve as the queue runs it.
class SpotSolve {
 public:
  SpotSolve(const Services& services, const Arguments& args) : workspace_(services.workspace) {
    name_ = args.text("name", 200);
    overwrite_ = args.flag_or("overwrite", false);
    poker::Spot spot = read_spot_text(args.text("text", kLongestSpot), name_);
    spot.name = name_.substr(name_.rfind('/') + 1);
    problem_ = hands::make_problem(spot);
    solution_place();
    history_place();
    options_.threads = services.threads;
    if (args.has("algorithm")) options_.algorithm = args.text("algorithm", 200);
    if (args.has("storage")) options_.storage = hands::parse_storage(args.text("storage", 8));
    set_limits(args);
    solve::make_schedule(options_.algorithm,
                         options_.planned_iterations);  // refuses what it is not
    memory_ = static_cast<uint64_t>(hands::plan_solve(problem_, options_).bytes(options_.storage));
  }

  Json run(JobContext& context) {
    // Another job may have written there since this one was asked for.
    const std::string out = solution_place();
    const std::string history = history_place();
    hands::SpotSolver solver(std::move(problem_), options_);
    solve::Record record;
    solve::Hooks hooks;
    hooks.stop = &context.stop();
    hooks.progress = [&](int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
      context.report(
          run_progress(fmt::format("{} iterations, {:.2g}% of the pot", core::grouped(iteration),
                                   100 * latest.exploitability / solver.problem().pot),
                       seconds, solve::time_left(limits_, iteration, seconds, record.history),
                       iteration, record.history));
    };
    const solve::RunResult result = solve::run(solver, limits_, hooks, record);
    if (solver.iterations() == 0) {
      throw core::RunError("stopped before the first iteration: there is nothing to save");
    }
    const solve::Certificate& c = result.certificate;
    solver.save_solution(out, c);
    report::write_history_csv({solver.problem().name, options_.algorithm, record.history}, history);
    const double pot = solver.problem().pot;
    return {{"file", workspace_.name_of(out)},
            {"iterations", solver.iterations()},
            {"seconds", record.seconds},
            {"exploitability", c.exploitability},
            {"exploitability_percent", 100 * c.exploitability / pot},
            {"values", c.values()},
            {"best_response", c.best_response},
            {"memory_bytes", memory_}};
  }

 private:
  std::string solution_place() const {
    return workspace_.place(name_ + ".h5", {".h5"}, overwrite_);
  }

  std::string history_place() const {  // goes with its solution
    return workspace_.place(name_ + ".history.csv", {".csv"}, true);
  }

  void set_limits(const Arguments& args) {
    if (args.has("iterations")) limits_.iterations = args.whole("iterations", 1, 1'000'000'000);
    if (args.has("seconds")) limits_.seconds = args.number("seconds", 1e-3, 1e7);
    if (args.has("target") || limits_.none()) {
      limits_.target = hands::target_chips(problem_, read_target(args));
    }
    options_.planned_iterations = limits_.iterations.value_or(0);
  }

  const Workspace& workspace_;
  hands::Problem problem_;
  hands::SolverOptions options_;
  solve::Limits limits_;
  std::string name_;
  bool overwrite_ = false;
  uint64_t memory_ = 0;
};

Json solve_spot(Services& services, const Arguments& args) {
  auto solve = std::make_shared<SpotSolve>(services, args);
  return services.jobs.add("solve-spot", args.text("name", 200), args.all(),
                           [solve](JobContext& context) { return solve->run(context); });
}

}  // namespace

void add_spots(Routes& routes, Services& services) {
  const auto with_solution = [&services](const Arguments& args,
                                         const std::function<Json(OpenSolution&)>& use) {
    const auto open = open_solution(services, args.text("file"));
    const std::lock_guard lock(open->mutex);
    return use(*open);
  };
  routes.post["/api/range"] = range_reply;
  routes.post["/api/spot/check"] = check_spot;
  routes.post["/api/spot/solve"] = [&services](const Arguments& args) {
    return solve_spot(services, args);
  };
  routes.get["/api/solution"] = [with_solution](const Arguments& args) {
    return with_solution(args, [&](OpenSolution& open) {
      return describe_solution(open.solution, args.text("file"));
    });
  };
  routes.get["/api/solution/node"] = [with_solution](const Arguments& args) {
    return with_solution(
        args, [&](OpenSolution& open) { return describe_node(open, args.text_or("node", "")); });
  };
  routes.get["/api/solution/runouts"] = [with_solution](const Arguments& args) {
    return with_solution(
        args, [&](OpenSolution& open) { return describe_runouts(open, args.text("node")); });
  };
}

}  // namespace cleave::server
