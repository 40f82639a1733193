#include "decompose/piece.h"

#include "core/error.h"

namespace cleave::decompose {

void Piece::solve_exactly(const EntryForm&, size_t, std::span<const double>, Engine&) const {
  throw core::InputError(
      "an exact solution is for games of the tree engine; allowed here are iterations");
}

}  // namespace cleave::decompose
