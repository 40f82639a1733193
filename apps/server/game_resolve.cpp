#include <set>

#include "core/error.h"
#include "core/stopwatch.h"
#include "decompose/second_pass.h"
#include "door/tree_game.h"
#include "fmt/format.h"
#include "histories/profile.h"
#include "server/game_runs.h"
#include "solve/run.h"
#include "solve/schedule.h"
#include "tree/strategy_file.h"

namespace cleave::server {
namespace {

constexpr size_t kMostMethods = 16;
constexpr size_t kMostChanges = 50;
constexpr double kChanged = 1e-3;  // what counts as playing otherwise
constexpr double kReportSeconds = 0.1;

struct GameResolve {
  std::shared_ptr<const OpenGame> game;
  std::shared_ptr<const OpenStrategy> strategy;  // none: solved first
  std::string trunk;                             // the strategy's file
  std::string name;
  bool overwrite = false;
  std::string blueprint;
  int64_t blueprint_iterations = 1000;
  std::shared_ptr<const histories::Cut> cut;
  std::vector<decompose::Pass> methods;
  std::vector<std::string> files;  // [method]
  decompose::ResolveOptions options;
};

// "reach-maxmargin(scale=10)" -> "reach-maxmargin_scale_10": a name for a file.
std::string method_file(const std::string& method) {
  std::string out;
  for (const char c : method) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '+' || c == '.';
    if (plain) {
      out += c;
    } else if (!out.ends_with('_')) {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

// One job of re-solving at work.
class ResolveRun {
 public:
  ResolveRun(const GameResolve& task, const Workspace& workspace, JobContext& context)
      : task_(task),
        workspace_(workspace),
        context_(context),
        tree_(task.game->tree()),
        game_({task.game, &task.game->game()}, {task.game, &task.game->problem()}) {
    watch_.start();
  }

  Json run() {
    std::vector<std::string> paths;
    for (const std::string& file : task_.files) paths.push_back(place(file));
    make_trunk();
    work_.trunk = game_.piece(task_.cut->name);
    work_.profile = std::make_shared<histories::TreeProfile>(trunk_);
    work_.root_reach = game_.root_reach();
    work_.summaries =
        decompose::summarise(*work_.trunk, *work_.profile, work_.root_reach, task_.options.threads);
    Json methods = Json::array();
    for (size_t i = 0; i < task_.methods.size(); ++i) {
      try {
        methods.push_back(apply(i, paths[i]));
      } catch (const core::RunError&) {
        if (!context_.stop() || methods.empty()) throw;
        break;  // what is finished is still worth seeing
      } catch (const core::InputError& error) {
        throw core::InputError(fmt::format("{}: {}", task_.methods[i].name, error.what()));
      }
    }
    return {{"game", task_.game->name()},
            {"cut", cut_json(*task_.game, *task_.cut)},
            {"trunk", trunk_file_},
            {"before", certificate_json(game_.certify(*work_.profile, task_.options.threads))},
            {"methods", methods}};
  }

 private:
  std::string place(const std::string& file) const {
    return workspace_.place(file, {".csv"}, task_.overwrite);
  }

  // The given strategy, or one that is solved now and kept beside the results.
  void make_trunk() {
    trunk_file_ = task_.trunk;
    if (task_.strategy) {
      trunk_ = task_.strategy->strategy;
      return;
    }
    const std::string path = place(task_.trunk);
    const int64_t all = task_.blueprint_iterations;
    door::Watch watch;
    watch.stop = &context_.stop();
    watch.progress = [&](int64_t done) {
      report(fmt::format("solving the trunk: iteration {} of {}", done, all), 0, done, all);
    };
    trunk_ = door::solve_tree(task_.game->problem(), task_.blueprint, all, watch);
    tree::write_strategy(task_.game->game(), tree_, trunk_, path);
  }

  Json apply(size_t i, const std::string& path) {
    const decompose::Pass& pass = task_.methods[i];
    core::Stopwatch watch;
    watch.start();
    work_.solving = task_.options;
    work_.solving.stop = &context_.stop();
    work_.solving.progress = [&](size_t done, size_t all) {
      report(fmt::format("{}: {} of {} subgames and seats", pass.name, done, all), i + 1,
             static_cast<int64_t>(done), static_cast<int64_t>(all));
    };
    histories::TreeProfile into(trunk_);
    decompose::apply(pass, work_, &into);
    const tree::Strategy& after = into.strategy();
    Json out = {{"method", pass.name},
                {"safe", pass.safe},
                {"condition", pass.condition},
                {"seconds", watch.seconds()},
                {"strategy", workspace_.name_of(path)}};
    out.update(certificate_json(game_.certify(into, task_.options.threads)));
    tree::write_strategy(task_.game->game(), tree_, after, path);
    add_changes(after, out);
    return out;
  }

  void add_changes(const tree::Strategy& after, Json& out) const {
    const auto changed = tree::changed_sets(tree_, trunk_, after, kChanged);
    const tree::Labels& labels = task_.game->labels();
    const auto part = [&](const auto& numbers, uint32_t set) {
      return Json(std::vector(numbers.begin() + tree_.slot_begin[set],
                              numbers.begin() + tree_.slot_begin[set + 1]));
    };
    Json list = Json::array();
    for (const auto& [distance, set] : changed) {
      if (list.size() == kMostChanges) break;
      list.push_back({{"id", set},
                      {"player", tree_.player(set)},
                      {"label", labels.infoset[set]},
                      {"actions", part(labels.action, set)},
                      {"before", part(trunk_, set)},
                      {"after", part(after, set)},
                      {"distance", distance}});
    }
    out["changes"] = list;
    out["changed"] = changed.size();
  }

  // Stages are the trunk, where it is solved here, and the methods.
  void report(const std::string& text, size_t stage, int64_t done, int64_t all) {
    const double seconds = watch_.seconds();
    if (seconds - reported_ < kReportSeconds) return;
    reported_ = seconds;
    const size_t first = task_.strategy ? 1 : 0;
    const auto stages = static_cast<double>(task_.methods.size() + 1 - first);
    const double share = (static_cast<double>(stage - first) +
                          static_cast<double>(done) / static_cast<double>(all)) /
                         stages;
    const double left = share > 0 ? seconds * (1 - share) / share : 0;
    Json progress = run_progress(text, seconds, left, done, {});
    progress["share"] = share;
    context_.report(progress);
  }

  const GameResolve& task_;
  const Workspace& workspace_;
  JobContext& context_;
  const tree::Tree& tree_;
  door::TreeGame game_;
  decompose::SecondPass work_;
  core::Stopwatch watch_;
  double reported_ = 0;
  tree::Strategy trunk_;
  std::string trunk_file_;
};

void read_methods(const Arguments& arguments, GameResolve& task) {
  std::set<std::string> files;
  for (const std::string& method : arguments.texts("methods", kMostMethods)) {
    task.methods.push_back(decompose::make_pass(method));
    std::string file = task.name + "." + method_file(method);
    if (!files.insert(file).second) {
      throw core::InputError(fmt::format("methods: '{}' is there twice", method));
    }
    task.files.push_back(file + ".csv");
  }
  if (task.methods.empty()) throw core::InputError("methods: at least one is needed");
}

GameResolve read_resolve(GameCache& cache, int threads, const Arguments& arguments) {
  GameResolve task;
  const std::string spec = arguments.text("game");
  task.game = cache.game(spec);
  task.name = arguments.text("name");
  task.overwrite = arguments.flag_or("overwrite", false);
  const solve::Problem& problem = task.game->problem();
  task.cut = task.game->cut(arguments.text("cut"));
  task.options.iterations =
      arguments.whole_or("iterations", task.options.iterations, 1, kMostGameIterations);
  task.options.algorithm = arguments.text_or("algorithm", task.options.algorithm);
  solve::make_schedule(task.options.algorithm, task.options.iterations);  // says if there is none
  task.options.threads = threads;
  read_methods(arguments, task);
  const std::string file = arguments.text_or("strategy", "");
  if (!file.empty()) {
    task.strategy = cache.strategy(spec, file);
    task.trunk = file;
    return task;
  }
  task.trunk = task.name + ".trunk.csv";
  task.blueprint = arguments.text_or("blueprint", "");
  if (task.blueprint.empty()) task.blueprint = solve::kDefaultAlgorithm;
  task.blueprint_iterations =
      arguments.whole_or("blueprint_iterations", task.blueprint_iterations, 1, kMostGameIterations);
  refuse_large_program(*task.game, solve::find_solver(core::parse_call(task.blueprint).name));
  solve::make_solver(task.blueprint, problem);  // says now what it cannot do
  return task;
}

Json add_resolve(Services& services, const Arguments& arguments) {
  GameResolve task = read_resolve(services.games, services.threads, arguments);
  std::vector<std::string> written = task.files;
  if (!task.strategy) written.push_back(task.trunk);
  for (const std::string& file : written) {
    services.workspace.place(file, {".csv"}, task.overwrite);
    if (task.strategy && file == task.trunk) {
      throw core::InputError(fmt::format(
          "name: {} is the strategy to begin with; choose a name that leaves it", file));
    }
  }
  const std::string title = fmt::format("{}, {}", task.game->name(), task.cut->name);
  return services.jobs.add("resolve", title, arguments.all(),
                           [task = std::move(task), &services](JobContext& context) {
                             return ResolveRun(task, services.workspace, context).run();
                           });
}

}  // namespace

void add_game_resolve(Routes& routes, Services& services) {
  routes.post["/api/game/resolve"] = [&services](const Arguments& arguments) {
    return add_resolve(services, arguments);
  };
}

}  // namespace cleave::server
