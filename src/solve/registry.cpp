#include "core/error.h"
#include "fmt/format.h"
#include "solve/backward_induction.h"
#include "solve/cfr.h"
#include "solve/cfr_br.h"
#include "solve/cfr_plus.h"
#include "solve/chance_sampling.h"
#include "solve/dcfr.h"
#include "solve/external_sampling.h"
#include "solve/fictitious_play.h"
#include "solve/linear_cfr.h"
#include "solve/pcfr_plus.h"
#include "solve/pure_cfr.h"
#include "solve/scheduled.h"
#include "solve/sequence_lp.h"
#include "solve/solver.h"

namespace cleave::solve {

const std::vector<SolverInfo>& all_solvers() {
  static const std::vector<SolverInfo> solvers = {cfr_info(),
                                                  cfr_plus_info(),
                                                  linear_cfr_info(),
                                                  dcfr_info(),
                                                  pcfr_plus_info(),
                                                  hs_dcfr_info(),
                                                  hs_pcfr_plus_info(),
                                                  cfr_br_info(),
                                                  fictitious_play_info(),
                                                  external_sampling_info(),
                                                  chance_sampling_info(),
                                                  pure_cfr_info(),
                                                  sequence_lp_info(),
                                                  backward_induction_info()};
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
  auto solver = info.make(problem, params, options);
  params.finish(info.params);
  return solver;
}

}  // namespace cleave::solve
