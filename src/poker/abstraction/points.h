#pragma once

#include <cmath>
#include <cstddef>

#include "core/aligned.h"

namespace cleave::poker {

// What k-means works on: a row of numbers per point, filled up with zeros to whole vectors.
inline constexpr size_t kLanes = 8;
struct Points {
  Points() = default;
  Points(size_t n, size_t numbers)
      : count(n),
        dimensions(numbers),
        stride((numbers + kLanes - 1) / kLanes * kLanes),
        value(n * stride) {}

  const float* row(size_t point) const { return value.data() + point * stride; }
  float* row(size_t point) { return value.data() + point * stride; }

  size_t count = 0;
  size_t dimensions = 0;
  size_t stride = 0;
  core::AlignedVector<float> value;  // [point][stride]
};

// The sum of the differences, or the root of the sum of their squares. Between cumulative
// histograms the first is the earth mover's distance.
enum class Metric { kManhattan, kEuclidean };

// Sums go into lanes first, which the compiler keeps in vectors.
template <class Term>
inline float sum_over(size_t stride, const Term& term) {
  float sums[kLanes] = {};
  for (size_t i = 0; i < stride; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(i + lane);
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <Metric kMetric>
inline float distance(const float* a, const float* b, size_t stride) {
  const float sum = sum_over(stride, [=](size_t i) {
    const float difference = a[i] - b[i];
    return kMetric == Metric::kManhattan ? std::fabs(difference) : difference * difference;
  });
  return kMetric == Metric::kManhattan ? sum : std::sqrt(sum);
}

inline float distance(Metric metric, const float* a, const float* b, size_t stride) {
  return metric == Metric::kManhattan ? distance<Metric::kManhattan>(a, b, stride)
                                      : distance<Metric::kEuclidean>(a, b, stride);
}

// One number for a point that is never farther from another's than the points are apart, but for
// rounding_of() both.
inline float projection(Metric metric, const float* row, size_t stride) {
  const float sum = sum_over(stride, [=](size_t i) { return row[i]; });
  return metric == Metric::kManhattan ? sum : sum / std::sqrt(static_cast<float>(stride));
}

inline float rounding_of(const float* row, size_t stride) {
  return 4e-6F * sum_over(stride, [=](size_t i) { return std::fabs(row[i]); });
}

}  // namespace cleave::poker
