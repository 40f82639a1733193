#pragma once

#include <span>
#include <vector>

#include "poker/abstraction/points.h"

namespace cleave::poker {

// Distances between distributions over things that lie apart from each other themselves: how much
// has to be carried how far to make one distribution of the other.
class Transport {
 public:
  // Things and the metric that says how far they are apart.
  Transport(Points things, Metric metric);

  size_t num_things() const { return things_.count; }

  struct Mass {
    uint32_t thing;
    float amount;
  };
  static void masses_of(std::span<const float> distribution, std::vector<Mass>& masses);

  // The greedy approximation of Ganzfried and Sandholm (AAAI 2014, Algorithm 2): round by round all
  // masses, in order, fill their next nearest thing of `to` as far as there is room. Never below
  // the true distance. Once the cost reaches `limit` it may return any number from there up.
  // `room` and `from` are used up; `room` begins as a copy of `to`.
  float greedy(std::vector<Mass>& from, std::span<float> room, float limit) const;

  // The mean of the things under a distribution. The distance of two means, by the metric, is never
  // above the distance of the distributions.
  void mean(std::span<const float> distribution, float* row) const;
  size_t dimensions() const { return things_.dimensions; }
  Metric metric() const { return metric_; }

 private:
  struct Neighbour {
    float distance;
    uint32_t thing;
  };
  Points things_;
  Metric metric_;
  std::vector<Neighbour> neighbours_;  // [thing][rank], the nearest first
};

}  // namespace cleave::poker
