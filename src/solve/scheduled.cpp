#include "solve/scheduled.h"

#include <algorithm>

#include "solve/dcfr.h"
#include "solve/pcfr_plus.h"

namespace cleave::solve {
namespace {

ScheduledParams read(core::Params& params, const RunOptions& options) {
  ScheduledParams p;
  p.updates = read_updates(params);
  p.gamma = params.real("gamma", p.gamma, 5, 100);
  if (options.planned_iterations > 0) p.horizon = options.planned_iterations;
  p.horizon = params.integer("horizon", p.horizon, 1, int64_t{1} << 40);
  return p;
}

double progress(const ScheduledParams& p, int64_t t) {
  return std::min(1.0, static_cast<double>(t) / static_cast<double>(p.horizon));
}

std::unique_ptr<Solver> make_dcfr(const Problem& problem, core::Params& params,
                                  const RunOptions& options) {
  const ScheduledParams p = read(params, options);
  return std::make_unique<FullWidth>(problem, options, p.updates, [=](int64_t t) {
    const double x = progress(p, t);
    return dcfr_iteration(t, 1 + 3 * x, -1 - 2 * x, p.gamma - 5 * x);
  });
}

std::unique_ptr<Solver> make_pcfr_plus(const Problem& problem, core::Params& params,
                                       const RunOptions& options) {
  const ScheduledParams p = read(params, options);
  return std::make_unique<FullWidth>(problem, options, p.updates, [=](int64_t t) {
    return pcfr_plus_iteration(t, p.gamma - 5 * progress(p, t));
  });
}

std::vector<core::ParamInfo> schedule_params() {
  return {{"gamma", "30", "exponent of the average's weights at the start"},
          {"horizon", "--iterations or 1000", "iterations over which the schedule runs"},
          updates_param()};
}

}  // namespace

SolverInfo hs_dcfr_info() {
  return {"hs-dcfr", "DCFR with parameters scheduled over a horizon", schedule_params(), false,
          make_dcfr};
}

SolverInfo hs_pcfr_plus_info() {
  return {"hs-pcfr+", "PCFR+ with the average's weights scheduled over a horizon",
          schedule_params(), false, make_pcfr_plus};
}

}  // namespace cleave::solve
