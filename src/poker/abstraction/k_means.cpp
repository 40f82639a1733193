#include "poker/abstraction/k_means.h"

#include <fmt/format.h>

#include <atomic>
#include <cassert>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/random.h"

namespace cleave::poker {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

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

// A point as it belongs to the nearest of the centres drawn so far.
struct Member {
  float distance;
  float projection;
  uint32_t point;
};

bool is_farther(const Member& a, const Member& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.point < b.point;
}

using Members = std::vector<Member>;

double squared(const Member& member) {
  return static_cast<double>(member.distance) * member.distance;
}

// A centre's points stand with the farthest first. A new centre takes points from an old one only
// if they are farther from it than half the distance of both centres, so only from the front.
class Drawing {
 public:
  Drawing(const Points& points, Metric metric, uint32_t count, const BucketOptions& options)
      : points_(points), metric_(metric), count_(count), options_(options), random_(options.seed) {}

  const std::vector<uint32_t>& draw() {
    add_first(static_cast<uint32_t>(random_.below(points_.count)));
    while (centres_.size() < count_) {
      if (centres_.size() % 64 == 0) options_.check_stop("drawing centres");
      add(pick());
    }
    return centres_;
  }

 private:
  void add_first(uint32_t point) {
    Members members;
    for (uint32_t i = 0; i < points_.count; ++i) {
      members.push_back({measured(point, i), projected(i), i});
      slack_ = std::max(slack_, 2 * rounding_of(points_.row(i), points_.stride));
    }
    append(point, std::move(members));
  }

  void append(uint32_t point, Members members) {
    std::sort(members.begin(), members.end(), is_farther);
    centres_.push_back(point);
    projection_.push_back(projected(point));
    members_.push_back(std::move(members));
    weight_.emplace_back();
    reach_.emplace_back();
    sum_up(centres_.size() - 1);
  }

  void sum_up(size_t c) {
    double weight = 0;
    for (const Member& member : members_[c]) weight += squared(member);
    weight_[c] = weight;
    reach_[c] = slack_ + (members_[c].empty() ? 0 : 2 * members_[c][0].distance);
  }

  uint32_t pick() {
    const double total = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    if (!(total > 0)) refuse_count(count_, centres_.size());
    double left = random_.uniform() * total;
    size_t c = 0;
    while (c + 1 < weight_.size() && left >= weight_[c]) left -= weight_[c++];
    // Rounding may lead past the end: then the last with a weight is meant.
    while (!(weight_[c] > 0)) --c;
    const Members& members = members_[c];
    size_t i = 0;
    while (i + 1 < members.size() && members[i + 1].distance > 0 && left >= squared(members[i])) {
      left -= squared(members[i++]);
    }
    return members[i].point;
  }

  void add(uint32_t point) {
    Members taken;
    const float here = projected(point);
    for (size_t c = 0; c < centres_.size(); ++c) {
      // Most centres are so far away that their projections say so.
      if (std::fabs(here - projection_[c]) >= reach_[c]) continue;
      const float gap = measured(point, centres_[c]);
      if (gap < reach_[c]) take(c, gap, point, taken);
    }
    append(point, std::move(taken));
  }

  // The points of a centre that are nearer to the new one go over to it.
  void take(size_t c, float gap, uint32_t newest, Members& taken) {
    Members& members = members_[c];
    const auto end = std::partition_point(
        members.begin(), members.end(),
        [&](const Member& member) { return 2 * member.distance > gap - slack_; });
    const size_t front = static_cast<size_t>(end - members.begin());
    measure(members, front, newest);
    size_t kept = 0;
    for (size_t i = 0; i < front; ++i) {
      if (newest_[i] < members[i].distance) {
        taken.push_back({newest_[i], members[i].projection, members[i].point});
      } else {
        members[kept++] = members[i];
      }
    }
    if (kept == front) return;
    members.erase(members.begin() + static_cast<ptrdiff_t>(kept), end);
    sum_up(c);
  }

  // newest_[i]: how far the i-th member is from the new centre, or that it is not nearer.
  void measure(const Members& members, size_t front, uint32_t newest) {
    constexpr size_t kPart = 4096;
    const float here = projected(newest);
    newest_.resize(std::max(newest_.size(), front));
    core::parallel_for((front + kPart - 1) / kPart, options_.threads, [&](size_t part) {
      for (size_t i = part * kPart; i < std::min(front, (part + 1) * kPart); ++i) {
        const Member& member = members[i];
        const float least = std::fabs(here - member.projection) - slack_;
        newest_[i] = least >= member.distance ? member.distance : measured(newest, member.point);
      }
    });
  }

  float measured(uint32_t a, uint32_t b) const {
    return distance(metric_, points_.row(a), points_.row(b), points_.stride);
  }
  float projected(uint32_t point) const {
    return projection(metric_, points_.row(point), points_.stride);
  }

  const Points& points_;
  Metric metric_;
  uint32_t count_;
  const BucketOptions& options_;
  core::Random random_;
  float slack_ = 0;  // computed distances may be off by so much
  std::vector<uint32_t> centres_;
  std::vector<Members> members_;   // [centre]
  std::vector<double> weight_;     // [centre] = sum of its members' squared distances
  std::vector<float> projection_;  // [centre]
  std::vector<float> reach_;       // [centre] = a new centre this far away takes nothing from it
  std::vector<float> newest_;      // [member]
};

}  // namespace

NearestCentre::NearestCentre(const Points& centres, Metric metric)
    : metric_(metric), centres_(centres) {
  assert(centres.count > 0);
  std::vector<Sketch> sketches(centres.count);
  std::vector<float> projections(centres.count);
  for (size_t c = 0; c < centres.count; ++c) {
    sketches[c] = sketch_of(centres.row(c));
    projections[c] = projection(metric, centres.row(c), centres.stride);
    slack_ = std::max(slack_, rounding_of(centres.row(c), centres.stride));
  }
  std::vector<uint32_t> order(centres.count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return projections[a] < projections[b]; });

  blocks_.resize((centres.count + kLanes - 1) / kLanes);
  for (size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const size_t last = std::min(centres.count, (b + 1) * kLanes) - 1;
    block.low = projections[order[b * kLanes]];
    block.high = projections[order[last]];
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const bool there = b * kLanes + lane <= last;
      block.centre[lane] = there ? order[b * kLanes + lane] : kNone;
      for (size_t i = 0; i < kSketch; ++i) {
        block.sketch[i][lane] = there ? sketches[block.centre[lane]][i] : kInfinite;
      }
    }
  }
}

// Sums of equally many neighbours.
NearestCentre::Sketch NearestCentre::sketch_of(const float* row) const {
  static_assert(kSketch == kLanes);  // the stride is a multiple of it
  const size_t width = centres_.stride / kSketch;
  const float scale =
      metric_ == Metric::kManhattan ? 1.0F : 1.0F / std::sqrt(static_cast<float>(width));
  Sketch sketch;
  for (size_t i = 0; i < kSketch; ++i) {
    float sum = 0;
    for (size_t j = 0; j < width; ++j) sum += row[i * width + j];
    sketch[i] = sum * scale;
  }
  return sketch;
}

template <Metric kMetric, bool kSecond>
void NearestCentre::search_block(const Block& block, const float* row, const Sketch& sketch,
                                 float slack, Found& found) const {
  float bound[kLanes] = {};
  for (size_t i = 0; i < kSketch; ++i) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float difference = sketch[i] - block.sketch[i][lane];
      bound[lane] +=
          kMetric == Metric::kManhattan ? std::fabs(difference) : difference * difference;
    }
  }
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const float limit = (kSecond ? found.second : found.distance) + slack;
    if (kMetric == Metric::kManhattan ? bound[lane] > limit : bound[lane] > limit * limit) {
      continue;
    }
    const uint32_t centre = block.centre[lane];
    if (centre == kNone) continue;
    const float d = distance<kMetric>(row, centres_.row(centre), centres_.stride);
    if (d < found.distance || (d == found.distance && centre < found.centre)) {
      found.second = found.distance;
      found.distance = d;
      found.centre = centre;
    } else {
      found.second = std::min(found.second, d);
    }
  }
}

template <Metric kMetric, bool kSecond>
NearestCentre::Found NearestCentre::find(const float* row) const {
  const Sketch sketch = sketch_of(row);
  const float here = projection(kMetric, row, centres_.stride);
  const float allowance = slack(row);
  Found found{.centre = kNone, .distance = kInfinite, .second = kInfinite};
  // The first block that begins above; what is below comes from the other side.
  auto above = std::partition_point(blocks_.begin(), blocks_.end(),
                                    [&](const Block& block) { return block.low <= here; });
  auto below = above;
  while (true) {
    const float up = above == blocks_.end() ? kInfinite : above->low - here;
    const float down = below == blocks_.begin() ? kInfinite : here - std::prev(below)->high;
    const float limit = (kSecond ? found.second : found.distance) + allowance;
    if (std::min(up, down) > limit || (above == blocks_.end() && below == blocks_.begin())) break;
    const Block& block = up < down ? *above++ : *--below;
    search_block<kMetric, kSecond>(block, row, sketch, allowance, found);
  }
  return found;
}

template <bool kSecond>
NearestCentre::Found NearestCentre::find(const float* row) const {
  return metric_ == Metric::kManhattan ? find<Metric::kManhattan, kSecond>(row)
                                       : find<Metric::kEuclidean, kSecond>(row);
}

template NearestCentre::Found NearestCentre::find<true>(const float* row) const;
template NearestCentre::Found NearestCentre::find<false>(const float* row) const;

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

Points rows_at(const Points& points, const std::vector<uint32_t>& some) {
  Points rows(some.size(), points.dimensions);
  for (size_t i = 0; i < some.size(); ++i) {
    std::copy_n(points.row(some[i]), points.stride, rows.row(i));
  }
  return rows;
}

Clusters k_means(const Points& points, Metric metric, uint32_t count, int iterations,
                 const BucketOptions& options) {
  Points centres = rows_at(points, draw_centres(points, metric, count, options));
  return Lloyd(points, metric, std::move(centres), options).run(iterations);
}

std::vector<uint32_t> draw_centres(const Points& points, Metric metric, uint32_t count,
                                   const BucketOptions& options) {
  if (points.count == 0) refuse_count(count, 0);
  return Drawing(points, metric, count, options).draw();
}

void refuse_count(uint32_t wanted, size_t different) {
  throw core::InputError(fmt::format(
      "{} buckets cannot be made of {} different points; ask for fewer buckets or a larger sample",
      wanted, different));
}

}  // namespace cleave::poker
