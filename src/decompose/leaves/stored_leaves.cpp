#include "decompose/leaves/stored_leaves.h"

#include <algorithm>

namespace cleave::decompose {

void StoredLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i == values_.size()) values_.push_back(&kept_.of(*leaves[i].piece).value);
    leaves[i].values = *values_[i];
  }
}

void ZeroLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (LeafState& leaf : leaves) {
    for (auto& values : leaf.values) std::ranges::fill(values, 0.0);
  }
}

}  // namespace cleave::decompose
