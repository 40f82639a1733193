#include "poker/abstraction/nearest.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace cleave::poker {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

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

}  // namespace cleave::poker
