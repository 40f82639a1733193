#pragma once

#include "decompose/profile.h"

namespace cleave::search {

// What was found by looking ahead from one stop of a player.
struct Found {
  const decompose::Piece& step;  // to its next stops
  const decompose::Profile& profile;
  // What the players' states below the horizon are worth, in the order of Rest::horizon.
  const std::vector<decompose::Vectors>& horizon;
};

// What is carried from one stop to the next in continual re-solving: the opponent's counterfactual
// values at the root of what is below a leaf of the step, Burch's units. `reach`: the other's, that
// arrives there.
std::vector<double> carry(const Found& found, size_t leaf, size_t number, size_t opponent,
                          decompose::Follow how, const decompose::Vectors& reach);

}  // namespace cleave::search
