#pragma once

#include <vector>

#include "decompose/profile.h"
#include "decompose/resolve.h"

// An outer method of one's own: every subgame below the trunk is re-solved for the hero by one
// method after the other, each from what the one before has left. Returns what the opponent's best
// response then gets in the whole game, the game's shift not counted; without methods, what it gets
// against the profile. Subgames must reach to the end of the game.
double resolve_in_turn(const cleave::decompose::Piece& trunk,
                       const cleave::decompose::Profile& profile, size_t hero,
                       const std::vector<cleave::decompose::Method>& methods,
                       const cleave::decompose::ResolveOptions& options);
