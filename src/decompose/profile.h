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

// One that takes players' answers in pieces as they come: how a strategy of the whole game is put
// together.
class Recombined : public Profile {
 public:
  // The player's strategies in an engine of the piece are its own from now on.
  virtual void take(const Piece& piece, Engine& engine, size_t player) = 0;
};

// Every action with the same probability.
std::shared_ptr<const Profile> uniform_profile();

// What both players' private states at the root of a piece are worth, entered with `reach`. The
// engine is to have the profile's strategies; it is left with the leaf values that were found. With
// best responses in the whole game's trunk this is how exploitable the profile is.
Vectors values_of(const Profile& profile, const Piece& piece, Engine& engine, const Vectors& reach,
                  Follow how, int threads);

}  // namespace cleave::decompose
