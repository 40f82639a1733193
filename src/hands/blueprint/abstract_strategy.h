#pragma once

#include <cstdint>
#include <vector>

namespace cleave::hands {

// A strategy over buckets of hands for every decision of a betting tree: both players', street by
// street.
struct AbstractStrategy {
  static constexpr uint64_t kNone = ~uint64_t{0};

  std::vector<uint32_t> num_buckets;  // [street]
  std::vector<uint64_t> first;        // [betting node]: of its weights; kNone: not a decision
  std::vector<float> weight;  // [first + action * buckets + bucket]: in proportion to these;
                              // where all are zero: uniform
};

}  // namespace cleave::hands
