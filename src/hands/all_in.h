#pragma once

#include "core/aligned.h"
#include "hands/layout.h"

namespace cleave::hands {

// The probability that player 0 wins less that it loses when both are all in, over the deals to
// come: of a street's board, [hand of player 0][hand of player 1], rows as long as player 1's
// padded hands; zero for hands that share a card.
template <class Real>
using AllIn = core::AlignedVector<Real>;

// [street][board]; empty where nobody is all in on the street or before, unless `everywhere`. Real:
// float or double.
template <class Real>
std::vector<std::vector<AllIn<Real>>> make_all_in(const Layout& layout, int threads,
                                                  bool everywhere = false);

// Bytes of the above, before they are there.
uint64_t all_in_bytes(const Layout& layout, size_t real_bytes);

}  // namespace cleave::hands
