#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "fmt/format.h"
#include "parameters.h"
#include "solve/run.h"
#include "solve/solver.h"

namespace cleave::cli {
namespace {

void print_algorithms_json() {
  nlohmann::ordered_json out = nlohmann::json::array();
  for (const solve::SolverInfo& info : solve::all_solvers()) {
    out.push_back({{"name", info.name},
                   {"summary", info.summary},
                   {"exact", info.exact},
                   {"parameters", to_json(info.params)}});
  }
  fmt::print(
      "{}\n",
      nlohmann::ordered_json{{"default", solve::kDefaultAlgorithm}, {"algorithms", out}}.dump(2));
}

void print_algorithms_text() {
  for (const solve::SolverInfo& info : solve::all_solvers()) {
    fmt::print("{}{}\n    {}\n", info.name,
               info.name == solve::kDefaultAlgorithm ? "  (the default)" : "", info.summary);
    print_params(info.params);
    fmt::print("\n");
  }
  fmt::print("Parameters are given as in --algorithm 'dcfr(alpha=1.5,gamma=3)'.\n");
}

}  // namespace

void add_algorithms(CLI::App& app) {
  auto* command = app.add_subcommand("algorithms", "List the algorithms and their parameters");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object on standard output");
  command->callback([json] { *json ? print_algorithms_json() : print_algorithms_text(); });
}

}  // namespace cleave::cli
