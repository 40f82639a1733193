#include "decompose/translation.h"

namespace cleave::decompose {

double pseudo_harmonic(double low, double x, double high) {
  if (x <= low) return 1;
  if (x >= high) return 0;
  return (high - x) * (1 + low) / ((high - low) * (1 + x));
}

}  // namespace cleave::decompose
