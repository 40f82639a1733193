#include "poker/abstraction/k_means.h"

#include <fmt/format.h>

#include <atomic>
#include <limits>
#include <numeric>

#include "poker/abstraction/nearest.h"

namespace cleave::poker {
namespace {

// Points in order of their cluster: members[begin[c]] to members[begin[c + 1] - 1], ascending.
struct ClusterMembers {
  std::vector<size_t> begin;
  std::vector<uint32_t> members;
};

ClusterMembers members_of(const std::vector<uint32_t>& cluster, size_t count) {
  ClusterMembers result{.begin = std::vector<size_t>(count + 1), .members = {}};
  for (const uint32_t c : cluster) ++result.begin[c + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<size_t> next(result.begin.begin(), result.begin.end() - 1);
  result.members.resize(cluster.size());
  for (uint32_t point = 0; point < cluster.size(); ++point) {
    result.members[next[cluster[point]]++] = point;
  }
  return result;
}

// Hamerly's algorithm: a point stays where it is while its own centre is surely nearer than any
// other, by how far the centres have moved since both distances were measured or by half the
// distance of its centre to the next one.
class Lloyd {
 public:
  Lloyd(const Points& points, Metric metric, Points centres, const BucketOptions& options)
      : points_(points), metric_(metric), options_(options), centres_(std::move(centres)) {
    cluster_.resize(points.count);
    forget();
  }

  Clusters run(int iterations) {
    for (int iteration = 0;; ++iteration) {
      options_.check_stop("k-means");
      size_t changed = assign();
      changed += fill();
      const bool settled = changed == 0 && iteration > 0;
      if (options_.progress) {
        options_.progress(fmt::format("k-means into {}: iteration {}, {} of {} points changed",
                                      centres_.count, iteration, changed, points_.count));
      }
      if (settled || iteration == iterations) {
        return {std::move(centres_), std::move(cluster_), settled};
      }
      move_centres();
    }
  }

 private:
  size_t assign() {
    const NearestCentre search(centres_, metric_);
    std::vector<float> gap(centres_.count);  // to the nearest other centre
    for_each_point(centres_.count, options_.threads,
                   [&](size_t c) { gap[c] = search.nearest_two(centres_.row(c)).second; });
    std::atomic<size_t> changed = 0;
    for_each_point(points_.count, options_.threads, [&](size_t i) {
      const float* row = points_.row(i);
      const double slack = search.slack(row);
      const double bound = std::max(other_[i], 0.5 * gap[cluster_[i]]);
      if (own_[i] + slack < bound) return;
      own_[i] = distance(metric_, row, centres_.row(cluster_[i]), points_.stride);
      if (own_[i] + slack < bound) return;
      const NearestCentre::Found found = search.nearest_two(row);
      if (found.centre != cluster_[i]) changed.fetch_add(1, std::memory_order_relaxed);
      cluster_[i] = found.centre;
      own_[i] = found.distance;
      other_[i] = found.second;
    });
    return changed;
  }

  size_t fill() {
    std::vector<bool> seen(centres_.count);
    for (const uint32_t c : cluster_) seen[c] = true;
    if (std::find(seen.begin(), seen.end(), false) == seen.end()) return 0;
    std::vector<float> own(points_.count);
    for_each_point(points_.count, options_.threads, [&](size_t i) {
      own[i] = distance(metric_, points_.row(i), centres_.row(cluster_[i]), points_.stride);
    });
    forget();
    return fill_empty(points_, own, cluster_, centres_);
  }

  // Nothing is known of any distance.
  void forget() {
    own_.assign(points_.count, std::numeric_limits<double>::infinity());
    other_.assign(points_.count, -1);
  }

  void move_centres() {
    Points moved =
        means_of(points_, cluster_, static_cast<uint32_t>(centres_.count), options_.threads);
    std::vector<double> way(centres_.count);
    for (size_t c = 0; c < way.size(); ++c) {
      way[c] = distance(metric_, centres_.row(c), moved.row(c), points_.stride);
    }
    const auto farthest = std::max_element(way.begin(), way.end());
    double next = 0;  // the farthest way of the other centres
    for (auto w = way.begin(); w != way.end(); ++w) {
      if (w != farthest) next = std::max(next, *w);
    }
    const size_t far_centre = static_cast<size_t>(farthest - way.begin());
    for_each_point(points_.count, options_.threads, [&](size_t i) {
      own_[i] += way[cluster_[i]];
      other_[i] -= cluster_[i] == far_centre ? next : *farthest;
    });
    centres_ = std::move(moved);
  }

  const Points& points_;
  Metric metric_;
  const BucketOptions& options_;
  Points centres_;
  std::vector<uint32_t> cluster_;
  std::vector<double> own_;    // [point] >= distance to its centre
  std::vector<double> other_;  // [point] <= distance to any other centre
};

}  // namespace

Points means_of(const Points& points, const std::vector<uint32_t>& cluster, uint32_t count,
                int threads) {
  const ClusterMembers members = members_of(cluster, count);
  Points means(count, points.dimensions);
  core::parallel_for(count, threads, [&](size_t c) {
    std::vector<double> sum(points.stride);
    for (size_t i = members.begin[c]; i < members.begin[c + 1]; ++i) {
      const float* row = points.row(members.members[i]);
      for (size_t d = 0; d < points.stride; ++d) sum[d] += row[d];
    }
    const double size = static_cast<double>(members.begin[c + 1] - members.begin[c]);
    for (size_t d = 0; d < points.stride; ++d) {
      means.row(c)[d] = static_cast<float>(sum[d] / size);
    }
  });
  return means;
}

size_t fill_empty(const Points& points, const std::vector<float>& own,
                  std::vector<uint32_t>& cluster, Points& centres) {
  std::vector<uint32_t> size(centres.count);
  for (const uint32_t c : cluster) ++size[c];
  const size_t empty = static_cast<size_t>(std::count(size.begin(), size.end(), 0U));
  if (empty == 0) return 0;
  std::vector<uint32_t> order(points.count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return own[a] != own[b] ? own[a] > own[b] : a < b; });
  auto next = order.begin();
  for (uint32_t c = 0; c < centres.count; ++c) {
    if (size[c] != 0) continue;
    while (next != order.end() && size[cluster[*next]] == 1) ++next;
    if (next == order.end()) break;
    --size[cluster[*next]];
    ++size[c];
    cluster[*next] = c;
    std::copy_n(points.row(*next++), points.stride, centres.row(c));
  }
  return empty;
}

Points centres_at(const Points& points, const std::vector<uint32_t>& drawn) {
  Points centres(drawn.size(), points.dimensions);
  for (size_t c = 0; c < drawn.size(); ++c) {
    std::copy_n(points.row(drawn[c]), points.stride, centres.row(c));
  }
  return centres;
}

Clusters k_means(const Points& points, Metric metric, uint32_t count, int iterations,
                 const BucketOptions& options) {
  Points centres = centres_at(points, draw_centres(points, metric, count, options));
  return Lloyd(points, metric, std::move(centres), options).run(iterations);
}

}  // namespace cleave::poker
