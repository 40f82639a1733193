#pragma once

#include <algorithm>
#include <vector>

#include "core/threads.h"
#include "poker/abstraction/buckets.h"
#include "poker/abstraction/points.h"

namespace cleave::poker {

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

// The points themselves as centres.
Points centres_at(const Points& points, const std::vector<uint32_t>& drawn);

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
