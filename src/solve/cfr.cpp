#include "solve/cfr.h"

namespace cleave::solve {

SolverInfo cfr_info() {
  return {.name = "cfr",
          .summary = "counterfactual regret minimisation, regret matching",
          .accuracy = SolverInfo::kMiddle,
          .schedule = [](core::Params&, const RunOptions&) -> Schedule {
            return [](int64_t) { return Iteration{}; };
          }};
}

}  // namespace cleave::solve
