#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "solve/run.h"
#include "solve/solvers.h"
#include "tree/strategy_file.h"

namespace cleave::solve {
namespace {

constexpr const char* kAlternating = "alternating";

// "a, b, c": the solvers that are wanted.
template <class Wanted>
std::string names_of(const Wanted& is_wanted) {
  std::vector<std::string_view> names;
  for (const SolverInfo& info : all_solvers()) {
    if (is_wanted(info)) names.push_back(info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const std::vector<SolverInfo>& all_solvers() {
  static const std::vector<SolverInfo> solvers = [] {
    std::vector<SolverInfo> list = cfr_family();
    for (SolverInfo& info : list) {
      info.params.push_back(
          {"updates", kAlternating, "alternating or simultaneous updates of the two players"});
    }
    for (const auto& info :
         {cfr_br_info, fictitious_play_info, fpira_info, cfr_ira_info, external_sampling_info,
          chance_sampling_info, pure_cfr_info, sequence_lp_info, backward_induction_info}) {
      list.push_back(info());
    }
    return list;
  }();
  return solvers;
}

const SolverInfo& find_solver(std::string_view name) {
  const auto found = std::ranges::find(all_solvers(), name, &SolverInfo::name);
  if (found != all_solvers().end()) return *found;
  core::reject("there is no algorithm '{}'; there are {}", name,
               names_of([](const SolverInfo&) { return true; }));
}

std::unique_ptr<Solver> make_solver(std::string_view spec, const Problem& problem,
                                    const RunOptions& options) {
  core::Call call = core::parse_call(spec);
  const SolverInfo& info = find_solver(call.name);
  core::Params params(fmt::format("algorithm '{}'", info.name), std::move(call.arguments));
  std::unique_ptr<Solver> solver;
  if (info.schedule) {
    Schedule schedule = info.schedule(params, options);
    const bool alternating =
        params.choice("updates", kAlternating, {kAlternating, "simultaneous"}) == kAlternating;
    solver = make_full_width(problem, options,
                             alternating ? Updates::kAlternating : Updates::kSimultaneous,
                             std::move(schedule));
  } else {
    solver = info.make(problem, params, options);
  }
  params.finish(info.params);
  return solver;
}

Schedule make_schedule(std::string_view spec, int64_t planned_iterations) {
  core::Call call = core::parse_call(spec);
  const SolverInfo& info = find_solver(call.name);
  if (!info.schedule) {
    core::reject("algorithm '{}' cannot learn in a piece of a game; allowed are {}", info.name,
                 names_of([](const SolverInfo& member) { return member.schedule != nullptr; }));
  }
  core::Params params(fmt::format("algorithm '{}'", info.name), std::move(call.arguments));
  Schedule schedule = info.schedule(params, {.planned_iterations = planned_iterations});
  params.finish(info.params);
  return schedule;
}

core::ParamInfo ties_param() {
  return {"ties", "first", "the action taken among equally good ones: first or last"};
}

Ties read_ties(core::Params& params) {
  return params.choice("ties", "first", {"first", "last"}) == "first" ? Ties::kFirst : Ties::kLast;
}

void add_default_target(const Problem& problem, std::string_view algorithm, Limits& limits) {
  const SolverInfo& info = find_solver(core::parse_call(algorithm).name);
  if (!limits.none() || info.exact) return;
  const auto [low, high] = std::ranges::minmax(problem.tree.payoff);
  limits.target = info.accuracy * std::max(high - low, 1e-9);
}

void Solver::average_plan(size_t player, std::span<double> plan) const {
  tree::plan_from_strategy(problem_.tree, problem_.form.player[player], strategy(), plan);
}

void Solver::save(tree::Archive& archive) const {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
  save_state(archive);
}

void Solver::load(const tree::Archive& archive) {
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
  load_state(archive);
}

void write_strategy(const games::Game& game, const Problem& problem, const Solver& solver,
                    const std::string& path) {
  if (const auto abstraction = solver.abstraction()) {
    tree::write_abstract_strategy(game, problem.tree, abstraction->cell, solver.strategy(), path);
  } else {
    tree::write_strategy(game, problem.tree, solver.strategy(), path);
  }
}

}  // namespace cleave::solve
