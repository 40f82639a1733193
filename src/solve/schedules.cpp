#include <algorithm>
#include <cmath>

#include "core/power.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

double discount(int64_t s, double exponent) {
  const double power = core::power(static_cast<double>(s), exponent);
  return std::isinf(power) ? 1 : power / (power + 1);
}

Iteration dcfr_iteration(int64_t t, double alpha, double beta, double gamma) {
  if (t == 1) return {{}, 0};
  return {{.positive_scale = discount(t - 1, alpha), .negative_scale = discount(t - 1, beta)},
          average_decay(t, gamma)};
}

Iteration pcfr_plus_iteration(int64_t t, double average) {
  return {{.floor = true, .predict = true}, average_decay(t, average)};
}

struct Horizon {
  double gamma = 30;
  int64_t length = 1000;  // T; the iteration limit of the run where one is given

  double progress(int64_t t) const {
    return std::min(1.0, static_cast<double>(t) / static_cast<double>(length));
  }
};

Horizon read_horizon(core::Params& params, const RunOptions& options) {
  Horizon horizon;
  horizon.gamma = params.real("gamma", horizon.gamma, 5, 100);
  if (options.planned_iterations > 0) horizon.length = options.planned_iterations;
  horizon.length = params.integer("horizon", horizon.length, 1, int64_t{1} << 40);
  return horizon;
}

std::vector<core::ParamInfo> horizon_params() {
  return {{"gamma", "30", "exponent of the average's weights at the start"},
          {"horizon", "--iterations or 1000", "iterations over which the schedule runs"}};
}

}  // namespace

double average_decay(int64_t t, double exponent) {
  return core::power(static_cast<double>(t - 1) / static_cast<double>(t), exponent);
}

SolverInfo cfr_info() {
  return {.name = "cfr",
          .summary = "counterfactual regret minimisation, regret matching",
          .accuracy = SolverInfo::kMiddle,
          .schedule = [](core::Params&, const RunOptions&) -> Schedule {
            return [](int64_t) { return Iteration{}; };
          }};
}

SolverInfo cfr_plus_info() {
  return {.name = "cfr+",
          .summary = "CFR+: regret matching plus, linear averaging",
          .params = {{"average", "1", "exponent of the weights t^average"}},
          .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
            const double average = params.real("average", 1, 0, 100);
            return [=](int64_t t) { return Iteration{{.floor = true}, average_decay(t, average)}; };
          }};
}

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

SolverInfo pcfr_plus_info() {
  return {.name = "pcfr+",
          .summary = "predictive CFR+: the newest regret predicts the next",
          .params = {{"average", "2", "exponent of the weights t^average"}},
          .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
            const double average = params.real("average", 2, 0, 100);
            return [=](int64_t t) { return pcfr_plus_iteration(t, average); };
          }};
}

SolverInfo hs_dcfr_info() {
  return {.name = "hs-dcfr",
          .summary = "DCFR with parameters scheduled over a horizon",
          .params = horizon_params(),
          .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
            return [h = read_horizon(params, options)](int64_t t) {
              const double x = h.progress(t);
              return dcfr_iteration(t, 1 + 3 * x, -1 - 2 * x, h.gamma - 5 * x);
            };
          }};
}

SolverInfo hs_pcfr_plus_info() {
  return {.name = "hs-pcfr+",
          .summary = "PCFR+ with the average's weights scheduled over a horizon",
          .params = horizon_params(),
          .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
            return [h = read_horizon(params, options)](int64_t t) {
              return pcfr_plus_iteration(t, h.gamma - 5 * h.progress(t));
            };
          }};
}

}  // namespace cleave::solve
