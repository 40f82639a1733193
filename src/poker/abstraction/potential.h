#pragma once

#include "poker/abstraction/k_means.h"
#include "poker/abstraction/street.h"

// Potential-aware abstraction (Ganzfried and Sandholm, AAAI 2014): hands are alike if the next card
// leads them to alike buckets of the next street.
namespace cleave::poker {

// Distances between distributions over things that lie apart from each other themselves: how much
// has to be carried how far to make one distribution of the other.
class Transport {
 public:
  // Things and the metric that says how far they are apart.
  Transport(Points things, Metric metric);

  // The greedy approximation of Ganzfried and Sandholm (AAAI 2014, Algorithm 2): round by round all
  // masses, in order, fill their next nearest thing of `to` as far as there is room. Never below
  // the true distance. Once the cost reaches `limit` it may return any number from there up.
  float greedy(std::span<const float> from, std::span<const float> to, float limit) const;

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

// The distribution over the buckets of the next street that the next card leads to. `next` stays
// with the caller.
Features make_potential_features(const Buckets& next);

// The nearest of distributions by the greedy distance from a point to them.
class NearestDistribution {
 public:
  NearestDistribution(const Transport& transport, const Points& centres);

  struct Found {
    uint32_t centre;  // of several at the same distance the lowest
    float distance;
  };
  Found nearest(const float* row) const;

 private:
  const Transport& transport_;
  Points centres_;
  Points means_;  // bounds from below: most centres need no more
};

// k-means++ and Lloyd's algorithm as in k_means.h, with the greedy distance. It is no metric, so
// that only bounds by means save work.
Clusters k_means(const Points& distributions, const Transport& transport, uint32_t count,
                 int iterations, const BucketOptions& options);

// `next`: buckets of the street after `street`, with their centres.
Buckets cluster_by_potential(const Street& street, const Buckets& next,
                             const Clustering& clustering, const BucketOptions& options);

}  // namespace cleave::poker
