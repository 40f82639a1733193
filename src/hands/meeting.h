#pragma once

#include <span>
#include <vector>

#include "poker/betting.h"

namespace cleave::hands {

// [own hand]: reach of all hands of the other that go with it: without a card in common.
std::vector<double> reach_met(const std::vector<poker::CardSet>& own,
                              const std::vector<poker::CardSet>& other,
                              std::span<const double> other_reach);

// [node of the betting]: the smallest payoff to the player that can follow; not by moves into nodes
// that are `off`.
std::vector<double> least_payoffs(const poker::BettingTree& tree, size_t player,
                                  const std::vector<bool>& off = {});

}  // namespace cleave::hands
