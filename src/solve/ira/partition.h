#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/sequence_form.h"

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
};

// The plan of such a player; plan[0] is given and stands for the plan's scale. Weights and scale
// being whole numbers that divide evenly, so is the plan, exactly.
void expand_plan(const tree::Treeplex& plex, const Partition& cells, const Play& play, int threads,
                 std::span<double> plan);

// Cells of sets with as many actions and as many own moves before them that play alike, exactly,
// become one. Whole-number weights are divided by their common factor.
void join_alike(const tree::Treeplex& plex, Partition& cells, Play& play);

// For walking only what a player reaches.
struct Followers {
  explicit Followers(const tree::Treeplex& plex);

  std::span<const uint32_t> after(uint32_t sequence) const {
    return {position.data() + begin[sequence], begin[sequence + 1] - begin[sequence]};
  }
  uint32_t sequence(uint32_t at, uint32_t action) const {
    return first_sequence[at] + action * stride[at];
  }

  std::vector<uint32_t> begin;           // [sequence + 1] into position
  std::vector<uint32_t> position;        // sets that follow a sequence without an own move between
  std::vector<uint32_t> first_sequence;  // [position]
  std::vector<uint32_t> stride;          // [position]: between the sequences of neighbour actions
  std::vector<uint32_t> num_actions;     // [position]
};

}  // namespace cleave::solve
