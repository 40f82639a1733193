#include "solve/linear_cfr.h"

namespace cleave::solve {

SolverInfo linear_cfr_info() {
  return {.name = "lcfr",
          .summary = "linear CFR: iteration t weighs t in regrets and average",
          .accuracy = SolverInfo::kMiddle,
          .schedule = [](core::Params&, const RunOptions&) -> Schedule {
            return [](int64_t t) {
              const double scale = static_cast<double>(t - 1) / static_cast<double>(t);
              return Iteration{{.positive_scale = scale, .negative_scale = scale}, scale};
            };
          }};
}

}  // namespace cleave::solve
