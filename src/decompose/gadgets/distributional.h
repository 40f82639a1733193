#pragma once

#include "decompose/gadget.h"

namespace cleave::decompose {

// Distributional alternative payoffs (Brown and Sandholm 2017, section 6.1): alternatives are
// normal variables X of which the opponent sees the outcome.
//   best-response form (theorem 4): x(I) = P(X <= V(I)) with V of the newest iteration;
//   Hedge form (appendix B, equation 3): x(I) = E over X of the softmax over the summed values of
//   entering and leaving, with eta_t = sqrt(ln 2) / (3 sqrt(VAR_t) sqrt(t)).
class DistributionalGadget final : public Gadget {
 public:
  enum class Form { kBestResponse, kHedge };
  DistributionalGadget(const GadgetInput& input, Form form);
  void enter(std::span<double> reach) override;
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override;
  // Finite: every variable becomes kOutcomes equally likely numbers.
  EntryForm form() const override;

  static constexpr size_t kOutcomes = 32;

 private:
  struct State {
    double rho = 0, mean = 0, deviation = 0;
    double value = 0;                 // V of the newest iteration
    double average = 0, squares = 0;  // of V so far: mean and sum of squared deviations
  };
  double probability(const State& state) const;

  std::vector<State> states_;
  Form form_;
  int64_t iterations_ = 0;
};

GadgetInfo distributional_gadget();

// E over X ~ Normal(mean, deviation^2) of 1 / (1 + exp((X - value) / temperature)): what the Hedge
// form takes; the step function's expectation where temperature is 0.
double softened_probability(double value, double mean, double deviation, double temperature);

}  // namespace cleave::decompose
