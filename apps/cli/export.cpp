#include <memory>

#include "commands.h"
#include "core/file.h"
#include "fmt/format.h"
#include "games/efg.h"
#include "games/registry.h"
#include "paths.h"

namespace cleave::cli {
namespace {

struct ExportArguments {
  std::string game;
  std::string efg;
};

}  // namespace

void add_export(CLI::App& app) {
  auto* command = app.add_subcommand("export", "Write a game in Gambit's .efg format");
  auto args = std::make_shared<ExportArguments>();
  command->add_option("GAME", args->game, "Built-in game, or path of an .efg or .game file")
      ->required();
  command->add_option("--efg", args->efg, "The file to write")->required();
  command->callback([args] {
    check_place(args->efg);
    const auto game = games::make_game(args->game);
    core::write_file_atomically(
        args->efg, [&](std::ostream& out) { games::write_efg(*game, game->name(), out); });
    fmt::print(stderr, "wrote {}\n", args->efg);
  });
}

}  // namespace cleave::cli
