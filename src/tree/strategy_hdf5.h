#pragma once

#include <span>
#include <string>

#include "tree/archive.h"
#include "tree/strategy.h"
#include "tree/tree.h"

// The archives of strategy_file.h, which describes them, in memory.
namespace cleave::tree {

inline constexpr double kSumTolerance = 1e-6;  // of the probabilities of an information set

// Empty, or what is wrong with the probabilities of one information set; scales them to sum 1.
std::string settle(std::span<double> probabilities);

Archive strategy_archive(const Labels& labels, const Tree& tree, const Strategy& strategy);
// Cells are numbered in the order of their first sets.
Archive abstract_strategy_archive(const Tree& tree, std::span<const uint32_t> cell,
                                  const Strategy& strategy);

// Of either archive. Throws InputError.
Strategy strategy_in(const Archive& archive, const Tree& tree);

}  // namespace cleave::tree
