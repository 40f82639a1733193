#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/solver.h"

namespace cleave::solve {

// One player's information sets in cells: the player plays alike throughout a cell and so forgets
// in which of its sets the game is. Arrays over the abstraction hold one value for each action of
// each cell, those of a cell together.
struct Partition {
  std::vector<uint32_t> cell;         // [position]; tree::kNone for a dummy
  std::vector<uint32_t> first_value;  // [cell + 1] into arrays over the abstraction
  std::vector<uint32_t> size;         // [cell]: information sets in it

  size_t num_cells() const { return size.size(); }
  size_t num_values() const { return first_value.back(); }
  uint32_t num_actions(uint32_t of) const { return first_value[of + 1] - first_value[of]; }

  uint32_t add_cell(uint32_t num_actions);  // an empty one
  void move(uint32_t position, uint32_t to);
  // Every cell becomes part of representative[cell], a cell with as many actions whose
  // representative is itself. Numbers are closed up in the old order; returns the new ones [cell].
  std::vector<uint32_t> join(std::span<const uint32_t> representative);

  size_t bytes() const;
};

// The coarse abstraction of Cermak et al., section 4.1: sets with as many actions and as many own
// moves before them share cells, as few cells as keep sets with the same own moves before them
// apart. Which sets meet in a cell is drawn by `seed`.
Partition coarse_partition(const tree::Treeplex& plex, uint64_t seed);

// How a player plays in cells: the actions of one in proportion to their weights.
struct Play {
  std::vector<double> weight;  // [value]
  std::vector<double> total;   // [cell]: the sum of its weights, above 0

  std::span<double> weights(const Partition& cells, uint32_t cell) {
    return std::span(weight).subspan(cells.first_value[cell], cells.num_actions(cell));
  }
};

// The plan of such a player; plan[0] is given and stands for the plan's scale. Weights and scale
// being whole numbers that divide evenly, so is the plan, exactly.
void expand_plan(const tree::Treeplex& plex, const Partition& cells, const Play& play, int threads,
                 std::span<double> plan);

// Cells of sets with as many actions and as many own moves before them that play alike, exactly,
// become one. Whole-number weights are divided by their common factor.
void join_alike(const tree::Treeplex& plex, Partition& cells, Play& play);

// The player's part of `strategy`.
void expand_strategy(const Problem& problem, size_t player, const Partition& cells,
                     const Play& play, tree::Strategy& strategy);

// Fills in cell, cells and partition_bytes.
void describe_cells(const Problem& problem, const std::array<const Partition*, 2>& cells,
                    Abstraction& abstraction);

// Under "cell<player>", players 1 and 2. Loading throws InputError where the content does not fit.
void save_partition(tree::Archive& archive, size_t player, const Partition& cells);
Partition load_partition(const tree::Archive& archive, size_t player, const tree::Treeplex& plex);

// For walking only what a player reaches.
struct Followers {
  explicit Followers(const tree::Treeplex& plex);

  std::span<const uint32_t> after(uint32_t sequence) const {
    return {position.data() + begin[sequence], begin[sequence + 1] - begin[sequence]};
  }

  std::vector<uint32_t> begin;     // [sequence + 1] into position
  std::vector<uint32_t> position;  // sets that follow a sequence without an own move between
  std::vector<tree::Group> alone;  // [position]: the set as the first member of a group
};

}  // namespace cleave::solve
