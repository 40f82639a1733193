#pragma once

#include <memory>
#include <string>

#include "decompose/crossing.h"
#include "decompose/engine.h"
#include "decompose/gadget.h"

namespace cleave::decompose {

class Piece;

// What follows at a leaf, or at one of the deals there.
struct Below {
  std::shared_ptr<const Piece> piece;
  Crossing crossing;  // from the leaf's states to those of the piece's root
};

// Where a player was asked on the way to a private state of a leaf.
struct Passage {
  uint32_t decision = 0;  // of the piece's engines
  uint32_t state = 0;     // of the decision
  uint32_t action = 0;    // that leads on to the leaf
  bool sole = false;      // (decision, state) leads to no other state of that leaf
};
struct Trail {
  uint32_t root = 0;                   // the player's private state where the piece begins
  std::vector<Passage> passages = {};  // first to last
};

class Profile;

// A subgame that begins where a move outside an abstraction is made.
struct Around {
  std::shared_ptr<const Piece> piece;  // with that move, else within the abstraction; no leaves
  // How one comes there through the piece above, [player][state of its root].
  std::array<std::vector<Trail>, 2> trails = {};
  std::vector<Passage> at = {};  // [the mover's state]: the decision, and the move
};

// What a player sees ahead of itself (Piece::ahead) from its next stop on.
struct Rest {
  bool is_leaf = false;                // it ends right there
  std::shared_ptr<const Piece> piece;  // else: from the stop's root on
  // Of what is below the leaves of `ahead`, counted through: below those of the piece; or the one
  // that the stop is.
  std::vector<size_t> horizon;
};

// A stretch of game, immutable, without anything learnt: what engines are made from.
class Piece {
 public:
  virtual ~Piece() = default;

  // From which the same piece can be made again elsewhere: by another process, from a file.
  virtual std::string key() const = 0;
  virtual std::unique_ptr<Engine> engine(int threads = 1) const = 0;

  // What stands below the leaves. A leaf may be taken as one piece, or as one piece for each deal
  // that chance makes there; which, was settled where the game was cut.
  virtual size_t num_leaves() const = 0;
  virtual size_t num_below(size_t leaf) const = 0;
  // Whether the cut was made for it. Others are leaves because a piece ends with its street.
  virtual bool is_wanted(size_t /*leaf*/) const { return true; }
  virtual Below below(size_t leaf, size_t number) const = 0;
  // Pieces that follow the same deal after different play are worked on together.
  virtual size_t num_deals() const { return num_leaves(); }
  // As many as chance could make; more where the piece has only some of them, as an estimate.
  virtual size_t num_possible_deals() const { return num_deals(); }
  virtual size_t deal_of(size_t leaf, size_t /*number*/) const { return leaf; }

  virtual std::vector<Trail> way(size_t leaf, size_t player) const = 0;  // [player's private state]

  // Decisions of one public state have the same number. An engine may have one for all the private
  // states there, or one for each.
  virtual size_t place_of(size_t decision) const { return decision; }

  // What an engine of the piece has learnt, for all pieces of the same stretch and those below.
  virtual std::shared_ptr<const Profile> profile(std::shared_ptr<Engine> engine) const = 0;

  // A game of which one player's model is an abstraction (nested.h): a leaf may be what follows a
  // move outside of it. The abstraction alone from the root of this piece on, to the game's end.
  virtual bool is_outside(size_t /*leaf*/) const { return false; }
  virtual std::shared_ptr<const Piece> model() const;
  virtual Around around(size_t leaf) const;

  // A game as one player goes through it (search/continual.h): every piece ends where that player
  // stops to think again. What it thinks about: from the root of this piece on, to the end of the
  // game or to a horizon. And what of that follows the next stop.
  virtual std::shared_ptr<const Piece> ahead() const;
  virtual Rest rest(size_t leaf, size_t number) const;

  // The whole game as one piece, and those of its decisions that are in no wanted subgame.
  virtual std::shared_ptr<const Piece> whole() const = 0;
  virtual std::vector<size_t> trunk_decisions() const = 0;

  // An equilibrium of the gadget's game, exactly, as the engine's strategies.
  // Throws InputError where no exact form is known.
  virtual void solve_exactly(const EntryForm& form, size_t hero, std::span<const double> hero_reach,
                             Engine& engine) const;
};

}  // namespace cleave::decompose
