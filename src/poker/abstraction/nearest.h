#pragma once

#include <array>
#include <vector>

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

}  // namespace cleave::poker
