#include "solve/ira/records.h"

#include "core/error.h"

namespace cleave::solve {

using tree::Group;
using tree::kNone;
using tree::Treeplex;

void expand_strategy(const Problem& problem, size_t player, const Partition& cells,
                     const Play& play, tree::Strategy& strategy) {
  const Treeplex& plex = problem.form.player[player];
  for (size_t i = 0; i < plex.infoset.size(); ++i) {
    if (plex.infoset[i] == kNone) continue;
    const uint32_t cell = cells.cell[i];
    const uint32_t slot = problem.tree.slot_begin[plex.infoset[i]];
    for (uint32_t a = 0; a < cells.num_actions(cell); ++a) {
      strategy[slot + a] = play.weight[cells.first_value[cell] + a] / play.total[cell];
    }
  }
}

void describe_cells(const Problem& problem, const std::array<const Partition*, 2>& cells,
                    Abstraction& abstraction) {
  abstraction.cell.assign(problem.tree.num_infosets(), 0);
  uint32_t before = 0;
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem.form.player[p];
    for (size_t i = 0; i < plex.infoset.size(); ++i) {
      if (plex.infoset[i] == kNone) continue;
      abstraction.cell[plex.infoset[i]] = before + cells[p]->cell[i];
    }
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
  for (const Group& group : plex.groups) {
    for (uint32_t i = group.first_position; i < group.first_position + group.width; ++i) {
      if (plex.infoset[i] == kNone) continue;
      const uint64_t cell = stored[i];
      if (cell >= plex.infoset.size()) refuse();
      if (cell >= num_actions.size()) num_actions.resize(cell + 1);
      if (num_actions[cell] != 0 && num_actions[cell] != group.num_actions) refuse();
      num_actions[cell] = group.num_actions;
    }
  }
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

}  // namespace cleave::solve
