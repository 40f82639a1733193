#include "solve/cfr.h"

namespace cleave::solve {
namespace {

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  const CfrParams p{read_updates(params)};
  return std::make_unique<FullWidth>(problem, options, p.updates, cfr_schedule());
}

}  // namespace

Schedule cfr_schedule() {
  return [](int64_t) { return Iteration{}; };
}

SolverInfo cfr_info() {
  return {"cfr",
          "counterfactual regret minimisation, regret matching",
          {updates_param()},
          false,
          make,
          SolverInfo::kMiddle};
}

}  // namespace cleave::solve
