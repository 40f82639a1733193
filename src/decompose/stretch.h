#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "decompose/method.h"
#include "decompose/profile.h"

// The way down through the pieces of a game that two players play by a profile.
namespace cleave::decompose {

// What arrives at the root of a piece.
struct Arrival {
  Vectors reach;
  std::array<Way, 2> way = {};          // [player]; empty where nobody asks for it
  std::optional<Summary> summary = {};  // none: to be measured
};

// A piece that was entered and has leaves.
struct Stretch {
  std::unique_ptr<Engine> engine;                        // with the profile's strategies
  std::vector<Vectors> reach;                            // [leaf]
  std::array<DecisionValues, 2> best_response, average;  // [player], where ways are asked for
};

Stretch begin_stretch(const Profile& profile, const Piece& piece, const Vectors& reach);
// What ways through the stretch are made from. `best_below`, `average_below`: values at its leaves.
void look_at_decisions(const Vectors& reach, const std::vector<Vectors>& best_below,
                       const std::vector<Vectors>& average_below, Stretch& stretch);
// On over a leaf and a deal there; with the ways, if the stretch was looked at.
Arrival arrive(const Piece& piece, const Stretch& stretch, const Arrival& above, size_t leaf,
               const Below& below);
// A subgame as the hero's trunk knows it. What is not known of it is measured, in an engine of the
// piece.
Entrance enter(const Profile& profile, const Piece& piece, Engine& engine, const Arrival& arrival,
               size_t hero);

}  // namespace cleave::decompose
