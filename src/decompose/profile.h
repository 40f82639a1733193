#pragma once

#include "decompose/piece.h"

namespace cleave::decompose {

// Strategies of a whole game for both players, wherever they stand: a file's, a tree's, those that
// another engine has learnt, one for each bucket of hands.
class Profile {
 public:
  virtual ~Profile() = default;
  // Makes them the strategies of an engine of the piece.
  virtual void give(const Piece& piece, Engine& engine) const = 0;
  // What both players' private states at the leaves of a stretch are worth when everybody (or
  // everybody but the player itself) follows them below: [leaf]. `reach`: at the leaves. Goes
  // through all that is below, piece by piece; a profile may know a shorter way.
  virtual std::vector<Vectors> values_below(const Piece& piece, const std::vector<Vectors>& reach,
                                            Follow how, int threads) const;
};

// The same at the root of a piece, entered with `reach`. The engine is to have the profile's
// strategies; it is left with the leaf values that were found. With best responses in the whole
// game's trunk this is how exploitable the profile is.
Vectors values_of(const Profile& profile, const Piece& piece, Engine& engine, const Vectors& reach,
                  Follow how, int threads);

}  // namespace cleave::decompose
