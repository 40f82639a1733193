#include <memory>

#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "games/efg.h"
#include "games/registry.h"
#include "paths.h"
#include "terminal.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

struct ExportArguments {
  std::string game;
  std::string efg;
  std::string strategy;
  std::string out;
};

void check_export_arguments(const ExportArguments& args) {
  if (args.strategy.empty() && !args.out.empty()) {
    throw core::InputError(
        fmt::format("--out {} needs --strategy FILE: the strategy to write there", args.out));
  }
  if (!args.strategy.empty() && args.out.empty()) {
    throw core::InputError(fmt::format(
        "--strategy {} needs --out FILE: where to write it, .csv or .h5", args.strategy));
  }
  if (args.efg.empty() && args.out.empty()) {
    throw core::InputError(
        "nothing to export; give --efg FILE for the game, or --strategy FILE and --out FILE for a "
        "strategy of it");
  }
  if (!args.out.empty()) tree::check_strategy_path(args.out);
  check_place(args.efg);
  check_place(args.out);
  if (args.efg == args.out) {
    throw core::InputError(
        fmt::format("{}: both --efg and --out would be written there; give two files", args.out));
  }
}

void export_strategy(const ExportArguments& args, const games::Game& game) {
  Progress progress(false);
  const tree::Tree tree = tree::compile(game, compile_options(progress));
  progress.clear();
  tree::require_solvable(tree, game, "a strategy file");
  tree::write_strategy(game, tree, tree::read_strategy(game, tree, args.strategy), args.out);
}

void export_files(const ExportArguments& args) {
  check_export_arguments(args);
  const auto game = games::make_game(args.game);
  if (!args.out.empty()) {
    export_strategy(args, *game);
    fmt::print(stderr, "wrote {}\n", args.out);
  }
  if (!args.efg.empty()) {
    core::write_file_atomically(
        args.efg, [&](std::ostream& out) { games::write_efg(*game, game->name(), out); });
    fmt::print(stderr, "wrote {}\n", args.efg);
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto* command =
      app.add_subcommand("export", "Write a game as Gambit's .efg, or a strategy as .csv or .h5");
  auto args = std::make_shared<ExportArguments>();
  command->add_option("GAME", args->game, "Built-in game, or path of an .efg or .game file")
      ->required();
  command->add_option("--efg", args->efg, "Write the game here");
  command->add_option("--strategy", args->strategy,
                      "A strategy that solve wrote: .csv or .h5, of the game or\n"
                      "of an abstraction (fpira, cfr-ira)");
  command->add_option("--out", args->out,
                      "Write that strategy here, for every information set of\n"
                      "the game: .csv or .h5");
  command->callback([args] { export_files(*args); });
}

}  // namespace cleave::cli
