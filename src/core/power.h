#pragma once

#include <cmath>

namespace cleave::core {

// x to the power of e for x >= 0. Whole and half exponents (what algorithms have by default) are
// computed by multiplication and square root, whose bits are the same on every machine; std::pow's
// are not.
inline double power(double x, double e) {
  constexpr double kMost = 64;
  if (e < 0) return 1 / power(x, -e);
  if (e > kMost || 2 * e != std::floor(2 * e)) return std::pow(x, e);
  double result = e == std::floor(e) ? 1 : std::sqrt(x);
  for (auto n = static_cast<int>(e); n > 0; n >>= 1) {
    if (n & 1) result *= x;
    x *= x;
  }
  return result;
}

}  // namespace cleave::core
