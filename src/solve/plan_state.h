#pragma once

#include <string>

#include "core/aligned.h"
#include "solve/problem.h"
#include "tree/archive.h"

// Arrays over sequences that solvers keep: made, read out and stored.
namespace cleave::solve {

// Uniform at every information set (dummies too), in sequence order.
core::Reals uniform_plan_strategy(const tree::Treeplex& plex);

// Probabilities in sequence order -> the player's part of a strategy by slots.
void copy_behaviour(const tree::Tree& tree, const tree::Treeplex& plex,
                    const core::Reals& probabilities, tree::Strategy& strategy);

// Stored under "<name>1" and "<name>2"; load throws InputError if the size is another.
void save_reals(tree::Archive& archive, const std::string& name, size_t player,
                const core::Reals& values);
void load_reals(const tree::Archive& archive, const std::string& name, size_t player,
                core::Reals& values);

}  // namespace cleave::solve
