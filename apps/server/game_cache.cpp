#include "server/game_cache.h"

#include <filesystem>

#include "core/error.h"
#include "fmt/format.h"
#include "games/poker_game.h"
#include "games/registry.h"
#include "solve/defaults.h"
#include "solve/run.h"
#include "tree/strategy_file.h"

namespace cleave::server {
namespace {

constexpr uintmax_t kMostGameBytes = uintmax_t{256} << 20;

// Another one once the file has changed.
std::string stamp_of(const std::string& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  const auto size = std::filesystem::file_size(path, error);
  return fmt::format("{}@{}:{}", path, time.time_since_epoch().count(), size);
}

// Where the path ends in a text that names a file: "small.game(sizes=50%:a)". 0: it names none.
size_t end_of_file_name(const std::string& spec) {
  if (spec.ends_with(".efg")) return spec.size();
  if (!games::is_poker_spec(spec)) return 0;
  return spec.ends_with(')') ? spec.rfind(".game(") + std::string(".game").size() : spec.size();
}

}  // namespace

// A game's text as make_game() takes it and as the page calls it.
struct GameCache::Located {
  std::string spec;    // with the file's path
  std::string prefix;  // the path, where there is one
  std::string file;    // the file's name
  std::string key;
};

GameCache::Located GameCache::locate(const std::string& spec) const {
  const size_t end = end_of_file_name(spec);
  if (end == 0) return {spec, "", "", spec};  // make_game() opens no file for such a text
  const std::string path = workspace_.existing(spec.substr(0, end), {".efg", ".game"});
  if (std::filesystem::file_size(path) > kMostGameBytes) {
    throw core::InputError(
        fmt::format("{}: a game's file may have up to {} MiB here; use the "
                    "command line (`cleave solve`)",
                    spec.substr(0, end), kMostGameBytes >> 20));
  }
  const std::string rest = spec.substr(end);
  return {path + rest, path, workspace_.name_of(path), stamp_of(path) + rest};
}

std::shared_ptr<const OpenGame> GameCache::game(const std::string& spec) {
  const Located at = locate(spec);
  const auto find = [&] {
    const std::lock_guard lock(mutex_);
    return games_.find(at.key);
  };
  if (auto found = find()) return found;
  const std::lock_guard one(loading_);
  if (auto found = find()) return found;
  auto made = games::make_game(at.spec);
  std::string name = made->name();
  if (!at.prefix.empty() && name.starts_with(at.prefix)) {
    name = at.file + name.substr(at.prefix.size());
  }
  auto open = std::make_shared<const OpenGame>(std::move(name), std::move(made));
  const std::lock_guard lock(mutex_);
  games_.add(at.key, open, open->tree().num_histories());
  return open;
}

std::shared_ptr<const OpenStrategy> GameCache::keep(const std::string& key, OpenStrategy strategy) {
  const OpenGame& game = *strategy.game;
  if (game.solvable()) {
    strategy.certificate = solve::certify(game.problem(), strategy.strategy);
    strategy.worth = solve::find_worth(game.problem(), strategy.strategy);
  } else {
    strategy.worth = solve::find_worth(game.tree(), strategy.strategy);
  }
  auto open = std::make_shared<const OpenStrategy>(std::move(strategy));
  const std::lock_guard lock(mutex_);
  strategies_.add(key, open, game.tree().num_histories());
  return open;
}

std::shared_ptr<const OpenStrategy> GameCache::strategy(const std::string& spec,
                                                        const std::string& file) {
  const auto open = game(spec);
  const std::string path = strategy_path(workspace_, file);
  const std::string key = locate(spec).key + "\n" + stamp_of(path);
  const auto find = [&] {
    const std::lock_guard lock(mutex_);
    return strategies_.find(key);
  };
  if (auto found = find()) return found;
  const std::lock_guard one(loading_);
  if (auto found = find()) return found;
  tree::Strategy read = tree::read_strategy(open->game(), open->tree(), path);
  return keep(key, {open, "the strategy of " + workspace_.name_of(path), std::move(read), {}, {}});
}

std::shared_ptr<const OpenStrategy> GameCache::solved(const std::string& spec) {
  constexpr double kLongest = 3;  // seconds
  const auto open = game(spec);
  const std::string key = locate(spec).key + "\nsolved";
  const auto find = [&] {
    const std::lock_guard lock(mutex_);
    return strategies_.find(key);
  };
  if (auto found = find()) return found;
  const std::lock_guard one(loading_);
  if (auto found = find()) return found;
  const solve::Problem& problem = open->problem();
  const auto solver = solve::make_solver(solve::kDefaultAlgorithm, problem);
  solve::Limits limits;
  limits.target = solve::default_target(problem, solve::SolverInfo::kFine);
  limits.seconds = kLongest;
  solve::Record record;
  solve::run(problem, *solver, limits, 1, {}, record);
  return keep(
      key,
      {open, fmt::format("solved by {}", solve::kDefaultAlgorithm), solver->strategy(), {}, {}});
}

std::string strategy_path(const Workspace& workspace, const std::string& file) {
  return workspace.existing(file, {".csv", ".h5", ".hdf5"});
}

std::shared_ptr<GameCache> game_cache(Services& services) {
  if (!services.games) services.games = std::make_shared<GameCache>(services.workspace);
  return services.games;
}

}  // namespace cleave::server
