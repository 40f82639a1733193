#include "decompose/leaves/payoff_leaves.h"

namespace cleave::decompose {

PayoffLeaves::PayoffLeaves(std::vector<std::unique_ptr<Engine>> engines)
    : engines_(std::move(engines)) {}

void PayoffLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  engines_[leaf]->evaluate(reach, values);
}

size_t PayoffLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (const auto& engine : engines_) bytes += engine->learning_bytes();
  return bytes;
}

}  // namespace cleave::decompose
