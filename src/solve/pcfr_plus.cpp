#include "solve/pcfr_plus.h"

namespace cleave::solve {

Iteration pcfr_plus_iteration(int64_t t, double average) {
  return {{.floor = true, .predict = true}, average_decay(t, average)};
}

SolverInfo pcfr_plus_info() {
  return {.name = "pcfr+",
          .summary = "predictive CFR+: the newest regret predicts the next",
          .params = {{"average", "2", "exponent of the weights t^average"}},
          .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
            const double average = params.real("average", 2, 0, 100);
            return [=](int64_t t) { return pcfr_plus_iteration(t, average); };
          }};
}

}  // namespace cleave::solve
