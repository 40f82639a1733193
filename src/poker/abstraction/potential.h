#pragma once

#include "poker/abstraction/k_means.h"
#include "poker/abstraction/street.h"
#include "poker/abstraction/transport.h"

// Potential-aware abstraction (Ganzfried and Sandholm, AAAI 2014): hands are alike if the next card
// leads them to alike buckets of the next street.
namespace cleave::poker {

// The distribution over the buckets of the next street that the next card leads to. `next` stays
// with the caller.
std::unique_ptr<Features> make_potential_features(const Buckets& next);

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
