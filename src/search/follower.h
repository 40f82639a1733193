#pragma once

#include "door/game.h"

namespace cleave::search {

// From the top of a game that is cut: leaves of pieces, and numbers there.
using Path = std::vector<std::pair<size_t, size_t>>;

// What an agent knows of a piece that it has come to: an engine of it with its strategies.
struct Known {
  const decompose::Piece& piece;
  decompose::Engine& engine;
};

// An agent that keeps what it has solved forgets it beyond this, and solves it again.
inline constexpr size_t kMostBytes = size_t{2} << 30;

// Reads what a player does out of a piece of a game in which strategies stand, at a table whose
// game may have more moves: what the other does beyond this one is taken for a move that it has, by
// the randomised pseudo-harmonic mapping of sizes in pots, drawn once a hand; what the player would
// do and the table does not have becomes the table's nearest. Where that leads out of the game (it
// is over here, and goes on there) the player checks or calls.
class Follower {
 public:
  Follower(const door::AnyGame& game, uint64_t seed) : game_(game), seed_(seed) {}

  // The answer for the table's moves, down through the pieces as the agent knows them.
  void answer(const door::Question& question, const std::function<Known(const Path&)>& know,
              std::span<double> probabilities) const;

 private:
  // The question in this game's words. Unknown: not even so.
  door::Standing find(door::Question& question, const decompose::Piece& piece,
                      const decompose::Engine& engine) const;
  size_t counterpart(const door::Question& question, const door::Standing& at) const;

  const door::AnyGame& game_;
  uint64_t seed_;
};

}  // namespace cleave::search
