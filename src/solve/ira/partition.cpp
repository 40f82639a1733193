#include "solve/ira/partition.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "core/random.h"
#include "solve/passes.h"

namespace cleave::solve {

using tree::Group;
using tree::kNone;
using tree::Treeplex;

namespace {

void shuffle(std::vector<uint32_t>& items, core::Random& random) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

// Positions of one level by number of actions, then by the sequence that leads to them.
using Candidates = std::map<uint32_t, std::map<uint32_t, std::vector<uint32_t>>>;

Candidates candidates_of_level(const Treeplex& plex, size_t level) {
  Candidates candidates;
  for (uint32_t g = plex.level_begin[level]; g < plex.level_begin[level + 1]; ++g) {
    const Group& group = plex.groups[g];
    for (uint32_t i = group.first_position; i < group.first_position + group.width; ++i) {
      if (plex.infoset[i] != kNone) candidates[group.num_actions][plex.parent[i]].push_back(i);
    }
  }
  return candidates;
}

}  // namespace

uint32_t Partition::add_cell(uint32_t num_actions) {
  first_value.push_back(first_value.back() + num_actions);
  size.push_back(0);
  return static_cast<uint32_t>(size.size() - 1);
}

void Partition::move(uint32_t position, uint32_t to) {
  if (cell[position] != kNone) --size[cell[position]];
  cell[position] = to;
  ++size[to];
}

std::vector<uint32_t> Partition::join(std::span<const uint32_t> representative) {
  Partition joined{std::vector<uint32_t>(cell.size(), kNone), {0}, {}};
  std::vector<uint32_t> number(num_cells());
  for (uint32_t c = 0; c < num_cells(); ++c) {
    if (representative[c] == c) number[c] = joined.add_cell(num_actions(c));
  }
  for (uint32_t c = 0; c < num_cells(); ++c) number[c] = number[representative[c]];
  for (uint32_t i = 0; i < cell.size(); ++i) {
    if (cell[i] != kNone) joined.move(i, number[cell[i]]);
  }
  *this = std::move(joined);
  return number;
}

size_t Partition::bytes() const {
  return (cell.size() + first_value.size() + size.size()) * sizeof(uint32_t);
}

Partition coarse_partition(const Treeplex& plex, uint64_t seed) {
  Partition partition{std::vector<uint32_t>(plex.infoset.size(), kNone), {0}, {}};
  core::Random random(seed);
  for (size_t level = 0; level + 1 < plex.level_begin.size(); ++level) {
    for (const auto& [num_actions, by_parent] : candidates_of_level(plex, level)) {
      size_t most = 0;
      for (const auto& [parent, positions] : by_parent) most = std::max(most, positions.size());
      std::vector<uint32_t> cells(most);
      for (uint32_t& cell : cells) cell = partition.add_cell(num_actions);
      for (const auto& [parent, positions] : by_parent) {
        shuffle(cells, random);
        for (size_t i = 0; i < positions.size(); ++i) partition.move(positions[i], cells[i]);
      }
    }
  }
  return partition;
}

void expand_plan(const Treeplex& plex, const Partition& cells, const Play& play, int threads,
                 std::span<double> plan) {
  plan[tree::kPadSequence] = 0;
  descend(plex, threads, [&](const Group& group) {
    // By actions rather than by sets, so that divisions run side by side.
    std::array<double, tree::kGroupWidth> here;
    std::array<double, tree::kGroupWidth> sum;
    std::array<uint32_t, tree::kGroupWidth> first;
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t position = group.first_position + m;
      const uint32_t cell = cells.cell[position] == kNone ? 0 : cells.cell[position];
      here[m] = plan[plex.parent[position]];
      sum[m] = play.total[cell];
      first[m] = cells.first_value[cell];
    }
    for (uint32_t a = 0; a < group.num_actions; ++a) {
      double* out = plan.data() + group.first_sequence + size_t{a} * group.width;
      for (uint32_t m = 0; m < group.width; ++m)
        out[m] = here[m] * play.weight[first[m] + a] / sum[m];
    }
  });
}

Followers::Followers(const Treeplex& plex)
    : begin(plex.num_sequences + 1),
      first_sequence(plex.infoset.size()),
      stride(plex.infoset.size()),
      num_actions(plex.infoset.size()) {
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t i = group.first_position + m;
      first_sequence[i] = group.first_sequence + m;
      stride[i] = group.width;
      num_actions[i] = group.num_actions;
      if (plex.infoset[i] != kNone) ++begin[plex.parent[i] + 1];
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  position.resize(begin.back());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < plex.infoset.size(); ++i) {
    if (plex.infoset[i] != kNone) position[next[plex.parent[i]]++] = i;
  }
}

}  // namespace cleave::solve
