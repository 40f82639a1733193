#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {
namespace {

constexpr size_t kNodes = 64;

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) {
  double low = -10;
  double high = 10;
  while (high - low > 1e-15 * std::max(1.0, std::abs(low))) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Quantiles at the middles of equally likely intervals.
template <size_t N, class Quantile>
std::array<double, N> quantiles(const Quantile& quantile) {
  std::array<double, N> z;
  for (size_t i = 0; i < N; ++i) {
    z[i] = quantile((static_cast<double>(i) + 0.5) / static_cast<double>(N));
  }
  return z;
}

double step(double x) { return x > 0 ? 1 : x == 0 ? 0.5 : 0; }

}  // namespace

double softened_probability(double value, double mean, double deviation, double temperature) {
  if (temperature <= 0) {
    return deviation > 0 ? normal_cdf((value - mean) / deviation) : step(value - mean);
  }
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  if (deviation <= 0) return logistic((value - mean) / temperature);
  // Over the narrower of the two variables, X and logistic noise, so that the integrand is smooth.
  double sum = 0;
  if (deviation < temperature) {
    static const auto z = quantiles<kNodes>(normal_quantile);
    for (const double zi : z) sum += logistic((value - mean - deviation * zi) / temperature);
  } else {
    static const auto z = quantiles<kNodes>([](double u) { return std::log(u / (1 - u)); });
    for (const double zi : z) sum += normal_cdf((value - mean - temperature * zi) / deviation);
  }
  return sum / static_cast<double>(kNodes);
}

namespace {

// Distributional alternative payoffs (Brown and Sandholm 2017, section 6.1): alternatives are
// normal variables X of which the opponent sees the outcome.
//   best-response form (theorem 4): x(I) = P(X <= V(I)) with V of the newest iteration;
//   Hedge form (appendix B, equation 3): x(I) = E over X of the softmax over the summed values of
//   entering and leaving, with eta_t = sqrt(ln 2) / (3 sqrt(VAR_t) sqrt(t)).
class DistributionalGadget final : public Gadget {
 public:
  DistributionalGadget(const GadgetInput& input, bool hedges) : hedges_(hedges) {
    const auto& [mean, deviation] = input.alternatives;
    for (size_t s = 0; s < mean.size(); ++s) {
      states_.push_back({.rho = input.counterfactual_reach[s],
                         .mean = mean[s],
                         .deviation = deviation.empty() ? 0 : deviation[s]});
    }
  }

  void enter(std::span<double> reach) override {
    for (size_t s = 0; s < reach.size(); ++s) reach[s] = probability(states_[s]);
  }

  void learn(const kernels::RegretUpdate&, std::span<const double> values) override {
    ++iterations_;
    for (size_t s = 0; s < values.size(); ++s) {
      State& state = states_[s];
      if (state.rho <= 0) continue;
      state.value = values[s] / state.rho;
      const double step_size = state.value - state.average;
      state.average += step_size / static_cast<double>(iterations_);
      state.squares += step_size * (state.value - state.average);
    }
  }

  // Finite: every variable becomes kOutcomes equally likely numbers.
  EntryForm form() const override {
    constexpr size_t kOutcomes = 32;
    static const auto z = quantiles<kOutcomes>(normal_quantile);
    EntryForm form;
    for (uint32_t s = 0; s < states_.size(); ++s) {
      const State& state = states_[s];
      if (state.deviation <= 0) {
        form.doors.push_back({s, 1, state.mean});
        continue;
      }
      for (const double zi : z) {
        form.doors.push_back({s, 1.0 / kOutcomes, state.mean + state.deviation * zi});
      }
    }
    return form;
  }

 private:
  struct State {
    double rho = 0, mean = 0, deviation = 0;
    double value = 0;                 // V of the newest iteration
    double average = 0, squares = 0;  // of V so far: mean and sum of squared deviations
  };

  double probability(const State& state) const {
    if (iterations_ == 0) return 0.5;
    if (!hedges_) return softened_probability(state.value, state.mean, state.deviation, 0);
    const auto t = static_cast<double>(iterations_);
    // Early on nothing has varied yet: the scale of the value stands in.
    const double floor = 1e-6 * std::max(1e-6, state.average * state.average);
    const double variance = std::max(floor, state.squares / t);
    const double eta = std::sqrt(std::numbers::ln2) / (3 * std::sqrt(variance) * std::sqrt(t));
    // Summed values: t * average for entering, t * X for leaving.
    return softened_probability(state.average, state.mean, state.deviation, 1 / (eta * t));
  }

  std::vector<State> states_;
  bool hedges_;  // else the best-response form
  int64_t iterations_ = 0;
};

}  // namespace

GadgetInfo distributional_gadget() {
  return {.name = "distributional",
          .summary = "as resolve, but alternatives are normal variables that the opponent sees",
          .params = {{"form", "hedge", "how the opponent enters: hedge or best-response"}},
          .safe = false,
          .condition = "no guarantee: as good as the estimate of the alternatives' errors",
          .make = [](const GadgetInput& input, core::Params& params) -> std::unique_ptr<Gadget> {
            const auto form = params.choice("form", "hedge", {"hedge", "best-response"});
            return std::make_unique<DistributionalGadget>(input, form == "hedge");
          }};
}

}  // namespace cleave::decompose
