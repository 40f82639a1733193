#include "solve/dcfr.h"

#include <cmath>

#include "core/power.h"

namespace cleave::solve {
namespace {

double discount(int64_t s, double exponent) {
  const double power = core::power(static_cast<double>(s), exponent);
  return std::isinf(power) ? 1 : power / (power + 1);
}

}  // namespace

Iteration dcfr_iteration(int64_t t, double alpha, double beta, double gamma) {
  if (t == 1) return {{}, 0};
  return {{.positive_scale = discount(t - 1, alpha), .negative_scale = discount(t - 1, beta)},
          average_decay(t, gamma)};
}

SolverInfo dcfr_info() {
  return {.name = "dcfr",
          .summary = "discounted CFR",
          .params = {{"alpha", "1.5", "discount exponent of positive regrets"},
                     {"beta", "0", "discount exponent of negative regrets"},
                     {"gamma", "2", "exponent of the average's weights"}},
          .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
            const double alpha = params.real("alpha", 1.5, -100, 100);
            const double beta = params.real("beta", 0, -100, 100);
            const double gamma = params.real("gamma", 2, 0, 100);
            return [=](int64_t t) { return dcfr_iteration(t, alpha, beta, gamma); };
          }};
}

}  // namespace cleave::solve
