#pragma once

namespace cleave::decompose {

// Probability of taking a bet of x pots for one of `low` and not of `high`, low <= x <= high: the
// randomised pseudo-harmonic mapping (Ganzfried and Sandholm 2013).
double pseudo_harmonic(double low, double x, double high);

}  // namespace cleave::decompose
