#pragma once

namespace cleave::decompose {

// Probability of taking a bet of x pots for one of `low` and not of `high`, low <= x <= high: the
// randomised pseudo-harmonic mapping (Ganzfried and Sandholm 2013).
inline double pseudo_harmonic(double low, double x, double high) {
  if (x <= low) return 1;
  if (x >= high) return 0;
  return (high - x) * (1 + low) / ((high - low) * (1 + x));
}

}  // namespace cleave::decompose
