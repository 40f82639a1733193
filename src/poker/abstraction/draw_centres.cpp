#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"
#include "poker/abstraction/k_means.h"

namespace cleave::poker {
namespace {

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
