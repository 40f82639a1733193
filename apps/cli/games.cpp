#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "parameters.h"

namespace cleave::cli {
namespace {

void print_games_json() {
  nlohmann::ordered_json out = nlohmann::json::array();
  for (const games::GameInfo& game : games::all_games()) {
    out.push_back(
        {{"name", game.name}, {"summary", game.summary}, {"parameters", to_json(game.params)}});
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"games", out}}.dump(2));
}

void print_games_text() {
  for (const games::GameInfo& game : games::all_games()) {
    fmt::print("{}\n    {}\n", game.name, game.summary);
    print_params(game.params);
    fmt::print("\n");
  }
  fmt::print(
      "Name a game as leduc, or with parameters as 'leduc(ranks=4,suits=3)', or by the path of a "
      "file:\n"
      "  .efg   a game in Gambit's format\n"
      "  .game  a poker game as the computer poker competition defines it (examples/games); bet "
      "sizes\n"
      "         of no-limit games are given as 'x.game(sizes=50%:100%:a)'\n"
      "  .toml  a hold'em spot: board, pot, stacks, ranges and sizes (examples/spots)\n");
}

}  // namespace

void add_games(CLI::App& app) {
  auto* command = app.add_subcommand("games", "List the built-in games and their parameters");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object on standard output");
  command->callback([json] { *json ? print_games_json() : print_games_text(); });
}

}  // namespace cleave::cli
