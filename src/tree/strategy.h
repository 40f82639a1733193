#pragma once

#include <span>
#include <vector>

#include "tree/sequence_form.h"

namespace cleave::tree {

// Both players' behaviour strategies: [slot] probability of the action at its information set.
using Strategy = std::vector<double>;

Strategy uniform_strategy(const Tree& tree);

// Of the step into a history other than the root, a player's or chance's.
double probability_of_step(const Tree& tree, const Strategy& strategy, uint32_t history);

// Where the second plays otherwise than the first by at least this much, half the sum of the
// differences of probabilities: the most different first.
std::vector<std::pair<double, uint32_t>> changed_sets(const Tree& tree, const Strategy& before,
                                                      const Strategy& after, double least);

// plan[sequence] = product of the player's own probabilities along it: what crosses a cut
// downwards. The plan of the empty sequence is 1, of padding 0.
void plan_from_strategy(const Tree& tree, const Treeplex& plex, const Strategy& strategy,
                        std::span<double> plan);

// The inverse, for a plan up to a positive factor: sets whose reach is zero keep what `strategy`
// has there.
void strategy_from_plan(const Tree& tree, const Treeplex& plex, std::span<const double> plan,
                        Strategy& strategy);

}  // namespace cleave::tree
