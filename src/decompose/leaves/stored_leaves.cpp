#include "decompose/leaves/stored_leaves.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace cleave::decompose {

void StoredLeaves::evaluate(std::span<LeafState> leaves, Players) {
  if (leaves.size() > values_.size()) {
    throw core::InputError(fmt::format("no values are stored for leaf {}; there are {}",
                                       values_.size() + 1, values_.size()));
  }
  for (size_t i = 0; i < leaves.size(); ++i) leaves[i].values = values_[i];
}

void ZeroLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (LeafState& leaf : leaves) {
    for (auto& values : leaf.values) std::ranges::fill(values, 0.0);
  }
}

}  // namespace cleave::decompose
