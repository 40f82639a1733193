#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

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

// Under "cell<player>" and "<name><player>", players 1 and 2. Loading throws InputError where the
// content does not fit.
void save_partition(tree::Archive& archive, size_t player, const Partition& cells);
Partition load_partition(const tree::Archive& archive, size_t player, const tree::Treeplex& plex);
void save_values(tree::Archive& archive, const std::string& name, size_t player,
                 std::span<const double> values);
std::vector<double> load_values(const tree::Archive& archive, const std::string& name,
                                size_t player, size_t size);

}  // namespace cleave::solve
