#include "poker/abstraction/transport.h"

#include <algorithm>

namespace cleave::poker {

Transport::Transport(Points things, Metric metric)
    : things_(std::move(things)), metric_(metric), neighbours_(things_.count * things_.count) {
  for (size_t i = 0; i < things_.count; ++i) {
    const auto first = neighbours_.begin() + static_cast<ptrdiff_t>(i * things_.count);
    const auto last = first + static_cast<ptrdiff_t>(things_.count);
    for (uint32_t j = 0; j < things_.count; ++j) {
      first[j] = {distance(metric, things_.row(i), things_.row(j), things_.stride), j};
    }
    std::sort(first, last, [&](const Neighbour& a, const Neighbour& b) {
      // The thing itself comes first, even if another is at the same place.
      if (a.distance != b.distance) return a.distance < b.distance;
      return (a.thing != i ? a.thing + 1 : 0) < (b.thing != i ? b.thing + 1 : 0);
    });
  }
}

void Transport::masses_of(std::span<const float> distribution, std::vector<Mass>& masses) {
  masses.clear();
  for (uint32_t thing = 0; thing < distribution.size(); ++thing) {
    if (distribution[thing] > 0) masses.push_back({thing, distribution[thing]});
  }
}

float Transport::greedy(std::vector<Mass>& from, std::span<float> room, float limit) const {
  constexpr float kNothing = 2e-7F;  // what rounding leaves over is not carried through all rounds
  float cost = 0;
  size_t left = from.size();
  for (size_t rank = 0; rank < num_things() && left > 0; ++rank) {
    size_t kept = 0;
    for (size_t i = 0; i < left; ++i) {
      Mass mass = from[i];
      const Neighbour& to = neighbours_[mass.thing * num_things() + rank];
      const float carried = std::min(mass.amount, room[to.thing]);
      cost += carried * to.distance;
      room[to.thing] -= carried;
      mass.amount -= carried;
      from[kept] = mass;
      kept += mass.amount > kNothing ? 1 : 0;
    }
    left = kept;
    if (cost >= limit) break;
  }
  return cost;
}

void Transport::mean(std::span<const float> distribution, float* row) const {
  std::fill_n(row, things_.stride, 0.0F);
  for (size_t thing = 0; thing < distribution.size(); ++thing) {
    if (distribution[thing] == 0) continue;
    for (size_t d = 0; d < things_.stride; ++d) {
      row[d] += distribution[thing] * things_.row(thing)[d];
    }
  }
}

}  // namespace cleave::poker
