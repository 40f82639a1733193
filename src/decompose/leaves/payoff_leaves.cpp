#include "decompose/leaves/payoff_leaves.h"

namespace cleave::decompose {

void PayoffLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i == engines_.size()) {
      engines_.push_back(engine_to_the_end(*leaves[i].piece));
      profile_->give(*leaves[i].piece, *engines_[i]);
    }
    for (size_t p = 0; p < 2; ++p) {
      if (!has(wanted, p)) continue;
      engines_[i]->values(p, Follow::kAverage, leaves[i].reach[1 - p], leaves[i].values[p]);
    }
  }
}

size_t PayoffLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (const auto& engine : engines_) bytes += engine->learning_bytes();
  return bytes;
}

}  // namespace cleave::decompose
