#include "decompose/leaves/stored_leaves.h"

#include <fmt/format.h>

#include "core/error.h"

namespace cleave::decompose {

void StoredLeaves::evaluate(size_t leaf, const Vectors&, Vectors& values) {
  if (leaf >= values_.size()) {
    throw core::InputError(
        fmt::format("no values are stored for leaf {}; there are {}", leaf + 1, values_.size()));
  }
  values = values_[leaf];
}

}  // namespace cleave::decompose
