#include "solve/evaluate.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "commands.h"
#include "core/error.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "hands/plan.h"
#include "hands/spot_solver.h"
#include "interrupt.h"
#include "parameters.h"
#include "poker_input.h"
#include "results.h"
#include "spot_results.h"
#include "terminal.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

struct EvaluateArguments {
  std::string game;
  std::string strategy;
  int show = 0;
  bool json = false;
};

void evaluate_spot(const EvaluateArguments& args, hands::Problem problem) {
  if (args.show > 0) {
    throw core::InputError(fmt::format(
        "--show lists information sets of small games; of a spot look with `cleave show {}`",
        args.strategy));
  }
  const hands::PokerFile file(args.strategy);
  hands::SolverOptions options = file.options();
  options.threads = core::hardware_threads();
  const hands::ProblemSize size = hands::plan_solve(problem, options);
  hands::SpotSolver solver(std::move(problem), options);
  file.load(solver, false);
  const solve::Certificate c = solver.certify();
  if (args.json) {
    nlohmann::ordered_json out;
    out["game"] = args.game;
    out["strategy"] = args.strategy;
    out["value"] = c.value;
    out["best_response"] = c.best_response;
    out["exploitability"] = c.exploitability;
    add_spot_json(out, solver.problem(), c, size.counts);
    print_object(out);
    return;
  }
  print_row("game", args.game);
  print_row("strategy", args.strategy);
  print_spot_certificate(solver.problem(), c);
}

void evaluate(const EvaluateArguments& args) {
  catch_interrupts();
  if (auto problem = read_poker(args.game)) {
    evaluate_spot(args, std::move(*problem));
    return;
  }
  const auto game = games::make_game(args.game);
  Progress progress(args.json);
  const solve::Problem problem = solve::make_problem(*game, compile_options(progress));
  progress.clear();
  const tree::Strategy strategy = tree::read_strategy(*game, problem.tree, args.strategy);
  const solve::Certificate c = solve::certify(problem, strategy);
  if (args.json) {
    nlohmann::ordered_json out;
    out["game"] = game->name();
    out["strategy"] = args.strategy;
    out["value"] = c.value;
    out["best_response"] = c.best_response;
    out["exploitability"] = c.exploitability;
    out["infosets"] = problem.tree.num_infosets();
    out["histories"] = problem.tree.num_histories();
    print_object(out);
    return;
  }
  if (args.show > 0) print_strategy(*game, problem.tree, strategy, args.show);
  print_row("game", game->name());
  print_row("strategy", args.strategy);
  print_certificate(c);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto* command = app.add_subcommand(
      "evaluate", "Exact value, best responses and exploitability of a strategy");
  auto args = std::make_shared<EvaluateArguments>();
  command->add_option("GAME", args->game, kGameHelp)->required();
  command
      ->add_option("STRATEGY", args->strategy,
                   "A strategy that solve wrote: .csv or .h5; of a spot .h5")
      ->required();
  command->add_option("--show", args->show, "Print the strategy at the first N information sets")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->callback([args] { evaluate(*args); });
}

}  // namespace cleave::cli
