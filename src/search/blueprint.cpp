#include "search/blueprint.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/spec.h"
#include "solve/defaults.h"
#include "solve/solver.h"
#include "tree/strategy_file.h"

namespace cleave::search {
namespace {

std::unique_ptr<Agent> make_uniform(const Setting& setting, core::Call call) {
  core::Params("agent 'uniform'", std::move(call.arguments)).finish({});
  const tree::Tree& tree = setting.problem.tree;
  return std::make_unique<BlueprintAgent>(tree, tree::uniform_strategy(tree));
}

std::unique_ptr<Agent> make_from_file(const Setting& setting, core::Call call) {
  const std::string file = take_text(call, "file", "");
  core::Params("agent 'blueprint'", std::move(call.arguments)).finish(blueprint_info().params);
  if (file.empty()) {
    throw core::InputError("agent 'blueprint' needs a strategy: blueprint(file=NAME.csv) or .h5");
  }
  const tree::Tree& tree = setting.problem.tree;
  return std::make_unique<BlueprintAgent>(tree, tree::read_strategy(setting.game, tree, file));
}

std::unique_ptr<Agent> make_solved(const Setting& setting, core::Call call) {
  const std::string algorithm = take_text(call, "algorithm", solve::kDefaultAlgorithm);
  core::Params params("agent 'solve'", std::move(call.arguments));
  const int64_t iterations = params.integer("iterations", 1000, 1, int64_t{1} << 50);
  params.finish(solve_info().params);
  const auto solver = solve::make_solver(algorithm, setting.problem,
                                         {.seed = setting.seed, .planned_iterations = iterations});
  while (solver->iterations() < iterations && !solver->finished()) {
    setting.check_stop();
    solver->iterate();
    if (setting.progress) setting.progress("solving", solver->iterations(), iterations);
  }
  return std::make_unique<BlueprintAgent>(setting.problem.tree, solver->strategy());
}

}  // namespace

BlueprintAgent::BlueprintAgent(const tree::Tree& tree, tree::Strategy strategy)
    : tree_(tree), strategy_(std::move(strategy)) {}

void BlueprintAgent::act(uint32_t infoset, std::span<double> probabilities) {
  std::copy_n(strategy_.begin() + tree_.slot_begin[infoset], probabilities.size(),
              probabilities.begin());
}

tree::Strategy make_blueprint(std::string_view spec, const Setting& setting) {
  const auto agent = make_agent(spec, setting);
  if (const auto* blueprint = dynamic_cast<const BlueprintAgent*>(agent.get())) {
    return blueprint->strategy();
  }
  throw core::InputError(
      fmt::format("'{}' cannot be a blueprint; allowed are uniform, blueprint(file=...) and "
                  "solve(...)",
                  spec));
}

AgentInfo uniform_info() {
  return {"uniform", "every action with the same probability", {}, make_uniform};
}

AgentInfo blueprint_info() {
  return {"blueprint",
          "a strategy from a file",
          {{"file", "", "a strategy that `cleave solve` wrote: .csv or .h5"}},
          make_from_file};
}

AgentInfo solve_info() {
  return {"solve",
          "the whole game solved before the first hand",
          {{"algorithm", solve::kDefaultAlgorithm, "see `cleave algorithms`; also dcfr(gamma=3)"},
           {"iterations", "1000", "how many; exact algorithms end by themselves"}},
          make_solved};
}

}  // namespace cleave::search
