#include "core/error.h"
#include "fmt/format.h"
#include "solve/full_width.h"
#include "solve/solvers.h"

namespace cleave::solve {

const std::vector<SolverInfo>& all_solvers() {
  static const std::vector<SolverInfo> solvers = [] {
    std::vector<SolverInfo> list = {cfr_info(),
                                    cfr_plus_info(),
                                    linear_cfr_info(),
                                    dcfr_info(),
                                    pcfr_plus_info(),
                                    hs_dcfr_info(),
                                    hs_pcfr_plus_info(),
                                    cfr_br_info(),
                                    fictitious_play_info(),
                                    fpira_info(),
                                    cfr_ira_info(),
                                    external_sampling_info(),
                                    chance_sampling_info(),
                                    pure_cfr_info(),
                                    sequence_lp_info(),
                                    backward_induction_info()};
    for (SolverInfo& info : list) {
      if (info.schedule) info.params.push_back(updates_param());
    }
    return list;
  }();
  return solvers;
}

const SolverInfo& find_solver(std::string_view name) {
  std::string known;
  for (const SolverInfo& info : all_solvers()) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw core::InputError(fmt::format("there is no algorithm '{}'; there are {}", name, known));
}

std::unique_ptr<Solver> make_solver(std::string_view spec, const Problem& problem,
                                    const RunOptions& options) {
  core::Call call = core::parse_call(spec);
  const SolverInfo& info = find_solver(call.name);
  core::Params params(fmt::format("algorithm '{}'", info.name), std::move(call.arguments));
  std::unique_ptr<Solver> solver;
  if (info.schedule) {
    Schedule schedule = info.schedule(params, options);
    solver =
        std::make_unique<FullWidth>(problem, options, read_updates(params), std::move(schedule));
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
    std::string family;
    for (const SolverInfo& member : all_solvers()) {
      if (member.schedule) family += (family.empty() ? "" : ", ") + member.name;
    }
    throw core::InputError(fmt::format(
        "algorithm '{}' cannot learn in a piece of a game; allowed are {}", info.name, family));
  }
  core::Params params(fmt::format("algorithm '{}'", info.name), std::move(call.arguments));
  Schedule schedule = info.schedule(params, {.planned_iterations = planned_iterations});
  params.finish(info.params);
  return schedule;
}

}  // namespace cleave::solve
