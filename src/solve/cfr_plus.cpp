#include "solve/cfr_plus.h"

namespace cleave::solve {

SolverInfo cfr_plus_info() {
  return {.name = "cfr+",
          .summary = "CFR+: regret matching plus, linear averaging",
          .params = {{"average", "1", "exponent of the weights t^average"}},
          .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
            const double average = params.real("average", 1, 0, 100);
            return [=](int64_t t) { return Iteration{{.floor = true}, average_decay(t, average)}; };
          }};
}

}  // namespace cleave::solve
