#include "server/game_cache.h"

#include <filesystem>

#include "core/error.h"
#include "fmt/format.h"
#include "games/poker_game.h"
#include "games/registry.h"
#include "solve/run.h"
#include "tree/strategy_file.h"

namespace cleave::server {
namespace {

constexpr uintmax_t kMostGameBytes = uintmax_t{256} << 20;

}  // namespace

// A game's text as make_game() takes it and as the page calls it.
struct GameCache::Located {
  std::string spec;    // with the file's path
  std::string prefix;  // the path, where there is one
  std::string file;    // the file's name
  std::string key;
};

GameCache::Located GameCache::locate(const std::string& spec) const {
  const size_t end = spec.ends_with(".efg") ? spec.size() : games::poker_file(spec).size();
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
  const auto make = [&] {
    auto made = games::make_game(at.spec);
    std::string name = made->name();
    if (!at.prefix.empty() && name.starts_with(at.prefix)) {
      name = at.file + name.substr(at.prefix.size());
    }
    return std::make_shared<const OpenGame>(std::move(name), std::move(made));
  };
  return games_.get(at.key, make, [](const OpenGame& open) { return open.tree().num_histories(); });
}

std::shared_ptr<const OpenStrategy> GameCache::keep(
    const std::string& spec, const std::string& key,
    const std::function<Played(const OpenGame&)>& make) {
  const auto game = this->game(spec);
  const auto open = [&] {
    auto [text, strategy] = make(*game);
    OpenStrategy made{game, std::move(text), std::move(strategy), {}, {}};
    if (game->solvable()) {
      made.certificate = solve::certify(game->problem(), made.strategy);
      made.worth = solve::find_worth(game->problem(), made.strategy);
    } else {
      made.worth = solve::find_worth(game->tree(), made.strategy);
    }
    return std::make_shared<const OpenStrategy>(std::move(made));
  };
  return strategies_.get(locate(spec).key + "\n" + key, open,
                         [&](const OpenStrategy&) { return game->tree().num_histories(); });
}

std::shared_ptr<const OpenStrategy> GameCache::strategy(const std::string& spec,
                                                        const std::string& file) {
  const std::string path = strategy_path(workspace_, file);
  return keep(spec, stamp_of(path), [&](const OpenGame& game) {
    return Played("the strategy of " + workspace_.name_of(path),
                  tree::read_strategy(game.game(), game.tree(), path));
  });
}

std::shared_ptr<const OpenStrategy> GameCache::solved(const std::string& spec) {
  constexpr double kLongest = 3;  // seconds
  return keep(spec, "solved", [&](const OpenGame& game) {
    const solve::Problem& problem = game.problem();
    const auto solver = solve::make_solver(solve::kDefaultAlgorithm, problem);
    solve::Limits limits;
    solve::add_default_target(problem, solve::kDefaultAlgorithm, limits);
    limits.seconds = kLongest;
    solve::Record record;
    solve::run(problem, *solver, limits, 1, {}, record);
    return Played(fmt::format("solved by {}", solve::kDefaultAlgorithm), solver->strategy());
  });
}

std::string strategy_path(const Workspace& workspace, const std::string& file) {
  return workspace.existing(file, {".csv", ".h5", ".hdf5"});
}

}  // namespace cleave::server
