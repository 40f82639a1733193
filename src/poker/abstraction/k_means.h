#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/threads.h"
#include "poker/abstraction/buckets.h"
#include "poker/abstraction/points.h"

namespace cleave::poker {

// Finds the nearest of many centres exactly without looking at most of them. A point's projection
// is one number, its sketch eight of them; neither makes a distance longer (sums of coordinates for
// the Manhattan distance, divided by the root of their number for the Euclidean). Centres stand in
// order of projection in blocks of eight: a search begins where the point's own projection is, goes
// to both sides until the projections alone are too far apart, and computes the distances of those
// centres only whose sketches are near enough.
class NearestCentre {
 public:
  NearestCentre(const Points& centres, Metric metric);

  struct Found {
    uint32_t centre;  // of several at the same distance the lowest
    float distance;
    float second;  // the distance of the next one; infinite if there is none
  };
  // Both distances are exact, ...
  Found nearest_two(const float* row) const { return find<true>(row); }
  // ... or the first only, which is faster.
  uint32_t nearest(const float* row) const { return find<false>(row).centre; }

  // Bounds computed from this point's numbers and a centre's may be off by so much.
  float slack(const float* row) const { return slack_ + rounding_of(row, centres_.stride); }

 private:
  static constexpr size_t kSketch = 8;
  using Sketch = std::array<float, kSketch>;
  struct Block {
    float low, high;                      // projections
    float sketch[kSketch][kLanes];        // [number][centre of the block]
    std::array<uint32_t, kLanes> centre;  // kNone beyond the end
  };
  static constexpr uint32_t kNone = 0xffffffff;

  template <bool kSecond>
  Found find(const float* row) const;
  template <Metric kMetric, bool kSecond>
  Found find(const float* row) const;
  template <Metric kMetric, bool kSecond>
  void search_block(const Block& block, const float* row, const Sketch& sketch, float slack,
                    Found& found) const;
  Sketch sketch_of(const float* row) const;

  Metric metric_;
  Points centres_;
  float slack_ = 0;
  std::vector<Block> blocks_;
};

struct Clusters {
  Points centres;
  std::vector<uint32_t> cluster;  // [point] = the nearest centre, of several the first
  bool settled = false;           // no point has a nearer centre than its own
};

// Lloyd's algorithm from k-means++: every point to its nearest centre, every centre to the mean of
// its points, until nothing changes or `iterations` are over. A cluster that lost all of its points
// takes the point that is farthest from its own centre. Bounds (Hamerly 2010) spare most points a
// search; the result is that without them. Seed, threads, stop and progress are the options'.
// Throws InputError if there are fewer different points than clusters.
Clusters k_means(const Points& points, Metric metric, uint32_t count, int iterations,
                 const BucketOptions& options);

// k-means++ (Arthur and Vassilvitskii 2007): `count` points, each drawn with a probability in
// proportion to its squared distance to the nearest of those before.
std::vector<uint32_t> draw_centres(const Points& points, Metric metric, uint32_t count,
                                   const BucketOptions& options);

[[noreturn]] void refuse_count(uint32_t wanted, size_t different);

// Every centre to the mean of its points.
Points means_of(const Points& points, const std::vector<uint32_t>& cluster, uint32_t count,
                int threads);
// Gives clusters without points the farthest points of others; returns how many there were.
// own[point] is the distance to its centre.
size_t fill_empty(const Points& points, const std::vector<float>& own,
                  std::vector<uint32_t>& cluster, Points& centres);

// Some of the points.
Points rows_at(const Points& points, const std::vector<uint32_t>& some);

// Calls task(i) for every i below `count`, many at a time on each thread.
template <typename Task>
void for_each_point(size_t count, int threads, const Task& task) {
  constexpr size_t kPart = 2048;
  core::parallel_for((count + kPart - 1) / kPart, threads, [&](size_t part) {
    const size_t end = std::min(count, (part + 1) * kPart);
    for (size_t i = part * kPart; i < end; ++i) task(i);
  });
}

}  // namespace cleave::poker
