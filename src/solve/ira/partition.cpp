#include "solve/ira/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/error.h"
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

// Divides whole-number weights by their common factor; others stay as they are.
void reduce(std::span<double> weight) {
  int64_t factor = 0;
  for (const double w : weight) {
    if (w != std::floor(w) || w > 0x1p53) return;
    factor = std::gcd(factor, static_cast<int64_t>(w));
  }
  for (double& w : weight) w /= static_cast<double>(factor);
}

// [position]: how many own moves come before the set.
std::vector<uint32_t> levels(const Treeplex& plex) {
  std::vector<uint32_t> level_of(plex.infoset.size());
  for (uint32_t level = 0; level + 1 < plex.level_begin.size(); ++level) {
    for (uint32_t g = plex.level_begin[level]; g < plex.level_begin[level + 1]; ++g) {
      std::fill_n(level_of.begin() + plex.groups[g].first_position, plex.groups[g].width, level);
    }
  }
  return level_of;
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
  // Positions by own moves before them and number of actions, then by the sequence that leads
  // there.
  std::map<std::array<uint32_t, 2>, std::map<uint32_t, std::vector<uint32_t>>> candidates;
  const std::vector<uint32_t> level_of = levels(plex);
  plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
    const uint32_t i = group.first_position + m;
    candidates[{level_of[i], group.num_actions}][plex.parent[i]].push_back(i);
  });
  for (const auto& [kind, by_parent] : candidates) {
    size_t most = 0;
    for (const auto& [parent, positions] : by_parent) most = std::max(most, positions.size());
    std::vector<uint32_t> cells(most);
    for (uint32_t& cell : cells) cell = partition.add_cell(kind[1]);
    for (const auto& [parent, positions] : by_parent) {
      shuffle(cells, random);
      for (size_t i = 0; i < positions.size(); ++i) partition.move(positions[i], cells[i]);
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

void join_alike(const Treeplex& plex, Partition& cells, Play& play) {
  const auto weights = [&](uint32_t cell) { return play.weights(cells, cell); };
  const std::vector<uint32_t> level_at = levels(plex);
  std::vector<uint32_t> level_of(cells.num_cells());
  for (size_t i = 0; i < level_at.size(); ++i) {
    if (cells.cell[i] != kNone) level_of[cells.cell[i]] = level_at[i];
  }
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

void expand_strategy(const Problem& problem, size_t player, const Partition& cells,
                     const Play& play, tree::Strategy& strategy) {
  problem.form.player[player].for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
    const uint32_t cell = cells.cell[group.first_position + m];
    for (uint32_t a = 0; a < group.num_actions; ++a) {
      strategy[problem.tree.slot_begin[set] + a] =
          play.weight[cells.first_value[cell] + a] / play.total[cell];
    }
  });
}

void describe_cells(const Problem& problem, const std::array<const Partition*, 2>& cells,
                    Abstraction& abstraction) {
  abstraction.cell.assign(problem.tree.num_infosets(), 0);
  uint32_t before = 0;
  for (size_t p = 0; p < 2; ++p) {
    problem.form.player[p].for_each_set([&](const Group& group, uint32_t m, uint32_t set) {
      abstraction.cell[set] = before + cells[p]->cell[group.first_position + m];
    });
    before += static_cast<uint32_t>(cells[p]->num_cells());
    abstraction.partition_bytes += cells[p]->bytes();
  }
  abstraction.cells = before;
}

void save_partition(tree::Archive& archive, size_t player, const Partition& cells) {
  archive.words["cell" + std::to_string(player + 1)].assign(cells.cell.begin(), cells.cell.end());
}

Partition load_partition(const tree::Archive& archive, size_t player, const Treeplex& plex) {
  const auto& stored = archive.word("cell" + std::to_string(player + 1), plex.infoset.size());
  const auto refuse = [] {
    throw core::InputError("its cells do not fit the game's information sets");
  };
  std::vector<uint32_t> num_actions;  // [cell], 0 where none of its sets was seen
  plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
    const uint64_t cell = stored[group.first_position + m];
    if (cell >= plex.infoset.size()) refuse();
    if (cell >= num_actions.size()) num_actions.resize(cell + 1);
    if (num_actions[cell] != 0 && num_actions[cell] != group.num_actions) refuse();
    num_actions[cell] = group.num_actions;
  });
  Partition cells{std::vector<uint32_t>(plex.infoset.size(), kNone), {0}, {}};
  for (const uint32_t n : num_actions) {
    if (n == 0) refuse();
    cells.add_cell(n);
  }
  for (uint32_t i = 0; i < stored.size(); ++i) {
    if (plex.infoset[i] != kNone) cells.move(i, static_cast<uint32_t>(stored[i]));
  }
  return cells;
}

Followers::Followers(const Treeplex& plex)
    : begin(plex.num_sequences + 1), alone(plex.infoset.size()) {
  plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
    const uint32_t i = group.first_position + m;
    alone[i] = {group.num_actions, group.width, i, group.first_sequence + m};
    ++begin[plex.parent[i] + 1];
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  position.resize(begin.back());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < plex.infoset.size(); ++i) {
    if (plex.infoset[i] != kNone) position[next[plex.parent[i]]++] = i;
  }
}

}  // namespace cleave::solve
