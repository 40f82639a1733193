#include "solve/linear_cfr.h"

namespace cleave::solve {
namespace {

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  const LinearCfrParams p{read_updates(params)};
  return std::make_unique<FullWidth>(problem, options, p.updates, linear_cfr_schedule());
}

}  // namespace

Schedule linear_cfr_schedule() {
  return [](int64_t t) {
    const double scale = static_cast<double>(t - 1) / static_cast<double>(t);
    return Iteration{{.positive_scale = scale, .negative_scale = scale}, scale};
  };
}

SolverInfo linear_cfr_info() {
  return {"lcfr",
          "linear CFR: iteration t weighs t in regrets and average",
          {updates_param()},
          false,
          make,
          SolverInfo::kMiddle};
}

}  // namespace cleave::solve
