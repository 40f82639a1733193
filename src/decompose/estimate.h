#pragma once

#include <functional>
#include <vector>

namespace cleave::decompose {

struct Estimate {
  double value = 0;
  double error = 0;  // half of a 95% interval; 0: not an estimate
};

// A figure measured on the known ones of some deals, out of `all` that there are, with its error by
// resampling. measure() gets a weight for each deal; weights of unknown deals are to be ignored.
Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure);

}  // namespace cleave::decompose
