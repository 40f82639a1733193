#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cleave::core {

// Union-find: things that belong together. The smallest member of a group leads it.
class Groups {
 public:
  explicit Groups(size_t n) : lead_(n) { std::iota(lead_.begin(), lead_.end(), 0U); }

  uint32_t find(uint32_t i) {
    while (lead_[i] != i) i = lead_[i] = lead_[lead_[i]];
    return i;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    lead_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> lead_;
};

}  // namespace cleave::core
