#include "solve/cfr_plus.h"

namespace cleave::solve {
namespace {

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  CfrPlusParams p;
  p.updates = read_updates(params);
  p.average = params.real("average", p.average, 0, 100);
  return std::make_unique<FullWidth>(problem, options, p.updates, cfr_plus_schedule(p));
}

}  // namespace

Schedule cfr_plus_schedule(const CfrPlusParams& params) {
  return [=](int64_t t) { return Iteration{{.floor = true}, average_decay(t, params.average)}; };
}

SolverInfo cfr_plus_info() {
  return {"cfr+",
          "CFR+: regret matching plus, linear averaging",
          {{"average", "1", "exponent of the weights t^average"}, updates_param()},
          false,
          make};
}

}  // namespace cleave::solve
