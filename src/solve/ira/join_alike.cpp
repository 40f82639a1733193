#include <algorithm>
#include <cmath>
#include <numeric>

#include "solve/ira/partition.h"

namespace cleave::solve {

using tree::Group;
using tree::kNone;
using tree::Treeplex;

namespace {

// Divides whole-number weights by their common factor; others stay as they are.
void reduce(std::span<double> weight) {
  int64_t factor = 0;
  for (const double w : weight) {
    if (w != std::floor(w) || w > 0x1p53) return;
    factor = std::gcd(factor, static_cast<int64_t>(w));
  }
  for (double& w : weight) w /= static_cast<double>(factor);
}

// [cell]: how many own moves come before its sets.
std::vector<uint32_t> levels(const Treeplex& plex, const Partition& cells) {
  std::vector<uint32_t> level_of(cells.num_cells());
  for (uint32_t level = 0; level + 1 < plex.level_begin.size(); ++level) {
    for (uint32_t g = plex.level_begin[level]; g < plex.level_begin[level + 1]; ++g) {
      const Group& group = plex.groups[g];
      for (uint32_t i = group.first_position; i < group.first_position + group.width; ++i) {
        if (cells.cell[i] != kNone) level_of[cells.cell[i]] = level;
      }
    }
  }
  return level_of;
}

}  // namespace

void join_alike(const Treeplex& plex, Partition& cells, Play& play) {
  const auto weights = [&](uint32_t cell) {
    return std::span(play.weight).subspan(cells.first_value[cell], cells.num_actions(cell));
  };
  const std::vector<uint32_t> level_of = levels(plex, cells);
  std::vector<uint32_t> order(cells.num_cells());
  std::iota(order.begin(), order.end(), 0);
  for (const uint32_t c : order) reduce(weights(c));
  const auto alike = [&](uint32_t a, uint32_t b) {
    return level_of[a] == level_of[b] && std::ranges::equal(weights(a), weights(b));
  };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    if (level_of[a] != level_of[b]) return level_of[a] < level_of[b];
    if (alike(a, b)) return a < b;
    return std::ranges::lexicographical_compare(weights(a), weights(b));
  });
  std::vector<uint32_t> representative(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && alike(order[i - 1], order[i]);
    representative[order[i]] = same ? representative[order[i - 1]] : order[i];
  }
  Play joined;
  for (uint32_t c = 0; c < order.size(); ++c) {
    if (representative[c] != c) continue;
    const auto weight = weights(c);
    joined.weight.insert(joined.weight.end(), weight.begin(), weight.end());
    joined.total.push_back(std::accumulate(weight.begin(), weight.end(), 0.0));
  }
  cells.join(representative);
  play = std::move(joined);
}

}  // namespace cleave::solve
