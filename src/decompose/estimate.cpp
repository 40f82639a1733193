#include "decompose/estimate.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace cleave::decompose {

Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure) {
  std::vector<double> weight(num_deals, 1);
  Estimate out{measure(weight), 0};
  // Deals that are left out are few where most are in: the error of a sample without repetition.
  const double left = 1 - static_cast<double>(known.size()) / static_cast<double>(all);
  if (left <= 0) return out;
  constexpr int kResamples = 200;
  core::Random random(1);
  double sum = 0, squares = 0;
  for (int r = 0; r < kResamples; ++r) {
    std::ranges::fill(weight, 0.0);
    for (size_t i = 0; i < known.size(); ++i) weight[known[random.below(known.size())]] += 1;
    const double x = measure(weight) - out.value;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kResamples;
  out.error = 1.96 * std::sqrt(std::max(0.0, squares / kResamples - mean * mean) * left);
  return out;
}

}  // namespace cleave::decompose
