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
  Horizon(core::Params& params, const RunOptions& options)
      : gamma(params.real("gamma", 30, 5, 100)),
        length(params.integer("horizon",
                              options.planned_iterations > 0 ? options.planned_iterations : 1000, 1,
                              int64_t{1} << 40)) {}

  double progress(int64_t t) const {
    return std::min(1.0, static_cast<double>(t) / static_cast<double>(length));
  }

  double gamma;
  int64_t length;  // T
};

std::vector<core::ParamInfo> horizon_params() {
  return {{"gamma", "30", "exponent of the average's weights at the start"},
          {"horizon", "--iterations or 1000", "iterations over which the schedule runs"}};
}

}  // namespace

double average_decay(int64_t t, double exponent) {
  return core::power(static_cast<double>(t - 1) / static_cast<double>(t), exponent);
}

std::vector<SolverInfo> cfr_family() {
  return {
      // Counterfactual regret minimisation with regret matching (Zinkevich et al. 2007): R += r;
      // the
      // average is uniform over iterations.
      {.name = "cfr",
       .summary = "counterfactual regret minimisation, regret matching",
       .accuracy = SolverInfo::kMiddle,
       .schedule = [](core::Params&, const RunOptions&) -> Schedule {
         return [](int64_t) { return Iteration{}; };
       }},
      // CFR+ (Tammelin 2014): regret matching plus, R = max(R + r, 0); iteration t weighs
      // t^average.
      {.name = "cfr+",
       .summary = "CFR+: regret matching plus, linear averaging",
       .params = {{"average", "1", "exponent of the weights t^average"}},
       .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
         const double average = params.real("average", 1, 0, 100);
         return [=](int64_t t) { return Iteration{{.floor = true}, average_decay(t, average)}; };
       }},
      // Linear CFR (Brown and Sandholm 2019): R = (R + r) * t / (t + 1), iteration t weighs t in
      // the
      // average. Here the factor is applied before adding, with t - 1 for t: the same strategies.
      {.name = "lcfr",
       .summary = "linear CFR: iteration t weighs t in regrets and average",
       .accuracy = SolverInfo::kMiddle,
       .schedule = [](core::Params&, const RunOptions&) -> Schedule {
         return [](int64_t t) {
           const double scale = static_cast<double>(t - 1) / static_cast<double>(t);
           return Iteration{{.positive_scale = scale, .negative_scale = scale}, scale};
         };
       }},
      // Discounted CFR (Brown and Sandholm 2019). After iteration s positive regrets are scaled by
      // s^alpha / (s^alpha + 1), negative ones by s^beta / (s^beta + 1), the sum of strategies by
      // (s / (s + 1))^gamma; the code applies this at the beginning of iteration s + 1, before
      // adding.
      {.name = "dcfr",
       .summary = "discounted CFR",
       .params = {{"alpha", "1.5", "discount exponent of positive regrets"},
                  {"beta", "0", "discount exponent of negative regrets"},
                  {"gamma", "2", "exponent of the average's weights"}},
       .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
         const double alpha = params.real("alpha", 1.5, -100, 100);
         const double beta = params.real("beta", 0, -100, 100);
         const double gamma = params.real("gamma", 2, 0, 100);
         return [=](int64_t t) { return dcfr_iteration(t, alpha, beta, gamma); };
       }},
      // Predictive CFR+ (Farina, Kroer, Sandholm 2021): regret matching plus, but the strategy is
      // proportional to max(R + m, 0) with the prediction m = the newest regret; iteration t weighs
      // t^average.
      {.name = "pcfr+",
       .summary = "predictive CFR+: the newest regret predicts the next",
       .params = {{"average", "2", "exponent of the weights t^average"}},
       .schedule = [](core::Params& params, const RunOptions&) -> Schedule {
         const double average = params.real("average", 2, 0, 100);
         return [=](int64_t t) { return pcfr_plus_iteration(t, average); };
       }},
      // Hyperparameter schedules (Zhang, McAleer, Sandholm 2024): discounting grows milder over a
      // horizon of T iterations. HS-DCFR: alpha = 1 + 3 t/T, beta = -1 - 2 t/T, gamma = start - 5
      // t/T. HS-PCFR+: PCFR+ with that gamma as exponent of the average. After T the last values
      // stay.
      {.name = "hs-dcfr",
       .summary = "DCFR with parameters scheduled over a horizon",
       .params = horizon_params(),
       .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
         return [h = Horizon(params, options)](int64_t t) {
           const double x = h.progress(t);
           return dcfr_iteration(t, 1 + 3 * x, -1 - 2 * x, h.gamma - 5 * x);
         };
       }},
      {.name = "hs-pcfr+",
       .summary = "PCFR+ with the average's weights scheduled over a horizon",
       .params = horizon_params(),
       .schedule = [](core::Params& params, const RunOptions& options) -> Schedule {
         return [h = Horizon(params, options)](int64_t t) {
           return pcfr_plus_iteration(t, h.gamma - 5 * h.progress(t));
         };
       }},
  };
}

}  // namespace cleave::solve
