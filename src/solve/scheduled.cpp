#include "solve/scheduled.h"

#include <algorithm>

#include "solve/dcfr.h"
#include "solve/pcfr_plus.h"

namespace cleave::solve {
namespace {

struct Horizon {
  double gamma = 30;
  int64_t length = 1000;  // T; the iteration limit of the run where one is given

  double progress(int64_t t) const {
    return std::min(1.0, static_cast<double>(t) / static_cast<double>(length));
  }
};

Horizon read(core::Params& params, const RunOptions& options) {
  Horizon horizon;
  horizon.gamma = params.real("gamma", horizon.gamma, 5, 100);
  if (options.planned_iterations > 0) horizon.length = options.planned_iterations;
  horizon.length = params.integer("horizon", horizon.length, 1, int64_t{1} << 40);
  return horizon;
}

std::vector<core::ParamInfo> horizon_params() {
  return {{"gamma", "30", "exponent of the average's weights at the start"},
          {"horizon", "--iterations or 1000", "iterations over which the schedule runs"}};
}

}  // namespace

SolverInfo hs_dcfr_info() {
  return {.name = "hs-dcfr",
          .summary = "DCFR with parameters scheduled over a horizon",
          .params = horizon_params(),
          .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
            return [h = read(params, options)](int64_t t) {
              const double x = h.progress(t);
              return dcfr_iteration(t, 1 + 3 * x, -1 - 2 * x, h.gamma - 5 * x);
            };
          }};
}

SolverInfo hs_pcfr_plus_info() {
  return {.name = "hs-pcfr+",
          .summary = "PCFR+ with the average's weights scheduled over a horizon",
          .params = horizon_params(),
          .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
            return [h = read(params, options)](int64_t t) {
              return pcfr_plus_iteration(t, h.gamma - 5 * h.progress(t));
            };
          }};
}

}  // namespace cleave::solve
