#include <cmath>
#include <memory>

#include "commands.h"
#include "core/number.h"
#include "fmt/format.h"
#include "hands/spot_solver.h"
#include "interrupt.h"
#include "poker_input.h"
#include "solve/run.h"
#include "solve_spot.h"
#include "solve_tree.h"

namespace cleave::cli {
namespace {

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

CLI::Validator target_number() {
  return {[](const std::string& text) {
            return solve::parse_target(text)
                       ? ""
                       : refusal(text, "a number above 0, of chips, or with % of the pot");
          },
          "", ""};
}

void add_limits(CLI::App& command, SolveArguments& args) {
  command.add_option("--iterations", args.iterations, "Stop after so many iterations in total")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command
      .add_option("--target", args.target,
                  "Stop at this exploitability: chips, or of a spot 0.1%\n"
                  "of the pot. Default: of spots 0.1%, else a small one")
      ->check(target_number());
  command.add_option("--seconds", args.seconds, "Stop after so many seconds of solving")
      ->check(number("a number above 0", [](double x) { return x > 0; }));
}

void add_files(CLI::App& command, SolveArguments& args) {
  command.add_option("--out", args.out, "Write the strategy here: .csv or .h5");
  command.add_option("--history", args.history,
                     "Write the convergence here, CSV. Default: beside --out");
  command.add_option("--checkpoint", args.checkpoint, "Save the state here, again and again");
  command
      .add_option("--checkpoint-every", args.checkpoint_every,
                  "Seconds between checkpoints. Default: 60")
      ->check(number("a number of at least 0", [](double x) { return x >= 0; }));
  command.add_flag("--resume", args.resume, "Continue from --checkpoint");
}

std::unique_ptr<SolveRun> make_solve(const SolveArguments& args) {
  if (auto problem = read_poker(args.game)) return make_spot_solve(args, std::move(*problem));
  return make_tree_solve(args);
}

}  // namespace

void add_solve(CLI::App& app) {
  auto* command = app.add_subcommand("solve", "Solve a game and certify the answer");
  auto args = std::make_shared<SolveArguments>();
  command->add_option("GAME", args->game, kGameHelp)->required();
  command->add_option(
      "--algorithm", args->algorithm,
      fmt::format("See `cleave algorithms`; also as 'dcfr(gamma=2)'.\nDefault: {}; of spots: {}",
                  solve::kDefaultAlgorithm, hands::kDefaultAlgorithm));
  add_limits(*command, *args);
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_option("--seed", args->seed, "Seed of the sampling algorithms. Default: 1")
      ->check(whole_number());
  command
      ->add_option("--storage", args->storage,
                   "Of spots: f32, i16 (half the memory) or f64. Default: f32")
      ->check(CLI::IsMember({"f32", "i16", "f64"}));
  add_files(*command, *args);
  command->add_option("--show", args->show, "Print the strategy at the first N information sets")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] {
    catch_interrupts();
    check_arguments(*args);
    const auto solve = make_solve(*args);
    solve->run();
    args->json ? solve->print_json() : solve->print_text();
  });
}

}  // namespace cleave::cli
