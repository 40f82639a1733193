#include "decompose/crossing.h"

namespace cleave::decompose {

std::vector<double> Crossing::spread(size_t player, std::span<const double> above) const {
  if (!changes_) return {above.begin(), above.end()};
  std::vector<double> below;
  below.reserve(sides_[player].from.size());
  for (const uint32_t state : sides_[player].from) below.push_back(above[state]);
  return below;
}

void Crossing::collect(size_t player, std::span<const double> below,
                       std::span<double> above) const {
  if (!changes_) {
    for (size_t s = 0; s < above.size(); ++s) above[s] += below[s];
    return;
  }
  const std::vector<uint32_t>& back = sides_[player].back;
  for (size_t i = 0; i < back.size(); ++i) {
    if (back[i] != kBlocked) above[i % above.size()] += below[back[i]];
  }
}

}  // namespace cleave::decompose
