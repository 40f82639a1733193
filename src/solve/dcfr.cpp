#include "solve/dcfr.h"

#include <cmath>

#include "core/power.h"

namespace cleave::solve {
namespace {

double discount(int64_t s, double exponent) {
  const double power = core::power(static_cast<double>(s), exponent);
  return std::isinf(power) ? 1 : power / (power + 1);
}

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  DcfrParams p;
  p.updates = read_updates(params);
  p.alpha = params.real("alpha", p.alpha, -100, 100);
  p.beta = params.real("beta", p.beta, -100, 100);
  p.gamma = params.real("gamma", p.gamma, 0, 100);
  return std::make_unique<FullWidth>(problem, options, p.updates, [=](int64_t t) {
    return dcfr_iteration(t, p.alpha, p.beta, p.gamma);
  });
}

}  // namespace

Iteration dcfr_iteration(int64_t t, double alpha, double beta, double gamma) {
  if (t == 1) return {{}, 0};
  return {{.positive_scale = discount(t - 1, alpha), .negative_scale = discount(t - 1, beta)},
          average_decay(t, gamma)};
}

SolverInfo dcfr_info() {
  return {"dcfr",
          "discounted CFR",
          {{"alpha", "1.5", "discount exponent of positive regrets"},
           {"beta", "0", "discount exponent of negative regrets"},
           {"gamma", "2", "exponent of the average's weights"},
           updates_param()},
          false,
          make};
}

}  // namespace cleave::solve
