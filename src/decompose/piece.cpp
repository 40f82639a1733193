#include "decompose/piece.h"

#include "core/error.h"

namespace cleave::decompose {

std::shared_ptr<const Piece> Piece::model() const {
  throw core::RunError("this piece is not one of an abstraction");
}

Around Piece::around(size_t) const {
  throw core::RunError("this piece is not one of an abstraction");
}

std::shared_ptr<const Piece> Piece::ahead() const {
  throw core::RunError("this piece is not one of a player's way through the game");
}

Rest Piece::rest(size_t, size_t) const {
  throw core::RunError("this piece is not one of a player's way through the game");
}

void Piece::solve_exactly(const EntryForm&, size_t, std::span<const double>, Engine&) const {
  throw core::InputError(
      "an exact solution is for games of the tree engine; allowed here are iterations");
}

}  // namespace cleave::decompose
