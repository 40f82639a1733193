#include "solve/pcfr_plus.h"

namespace cleave::solve {
namespace {

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  PcfrPlusParams p;
  p.updates = read_updates(params);
  p.average = params.real("average", p.average, 0, 100);
  return std::make_unique<FullWidth>(problem, options, p.updates,
                                     [=](int64_t t) { return pcfr_plus_iteration(t, p.average); });
}

}  // namespace

Iteration pcfr_plus_iteration(int64_t t, double average) {
  return {{.floor = true, .predict = true}, average_decay(t, average)};
}

SolverInfo pcfr_plus_info() {
  return {"pcfr+",
          "predictive CFR+: the newest regret predicts the next",
          {{"average", "2", "exponent of the weights t^average"}, updates_param()},
          false,
          make};
}

}  // namespace cleave::solve
