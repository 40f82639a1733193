#pragma once

#include <array>

#include "solve/ira/abstraction.h"
#include "solve/ira/partition.h"
#include "solve/problem.h"
#include "tree/archive.h"

// What solvers in an abstraction hand out and store: strategies by information set, cells, arrays.
namespace cleave::solve {

// The player's part of `strategy`.
void expand_strategy(const Problem& problem, size_t player, const Partition& cells,
                     const Play& play, tree::Strategy& strategy);

// Fills in cell, cells and partition_bytes.
void describe_cells(const Problem& problem, const std::array<const Partition*, 2>& cells,
                    Abstraction& abstraction);

// Under "cell<player>", players 1 and 2. Loading throws InputError where the content does not fit.
void save_partition(tree::Archive& archive, size_t player, const Partition& cells);
Partition load_partition(const tree::Archive& archive, size_t player, const tree::Treeplex& plex);
}  // namespace cleave::solve
