#pragma once

#include <array>
#include <cstdint>

#include "poker/cards.h"

// Numbers for rank sets and multisets of numbers, dense from 0: what HandIndex is made of.
namespace cleave::poker {

inline constexpr auto kChoose = [] {
  std::array<std::array<uint32_t, kNumRanks + 1>, kNumRanks + 1> choose = {};
  for (size_t n = 0; n <= kNumRanks; ++n) {
    choose[n][0] = 1;
    for (size_t k = 1; k <= n; ++k) choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
  }
  return choose;
}();

// Multisets of k out of n.
inline uint64_t num_multisets(uint64_t n, int k) {
  switch (k) {
    case 1:
      return n;
    case 2:
      return n * (n + 1) / 2;
    case 3:
      return n * (n + 1) / 2 * (n + 2) / 3;
    default:
      return n * (n + 1) / 2 * (n + 2) / 3 * (n + 3) / 4;
  }
}

// The largest n with num_multisets(n, k) <= index, where that is below `limit`.
inline uint64_t largest_multiset(uint64_t index, int k, uint64_t limit) {
  uint64_t low = 0;
  for (uint64_t high = limit; low + 1 < high;) {
    const uint64_t middle = (low + high) / 2;
    (num_multisets(middle, k) <= index ? low : high) = middle;
  }
  return low;
}

// As std::popcount, which is a call where the processor's own instruction may not be used.
inline uint32_t num_ranks(uint32_t ranks) {
  ranks = (ranks & 0x5555) + (ranks >> 1 & 0x5555);
  ranks = (ranks & 0x3333) + (ranks >> 2 & 0x3333);
  return (ranks * 0x1111 >> 12) & 15;
}

// The rank set's place among those of its size without the used ranks, in ascending order.
inline uint32_t number_of_set(uint32_t ranks, uint32_t used) {
  uint32_t number = 0;
  for (size_t k = 1; ranks != 0; ranks &= ranks - 1, ++k) {
    const uint32_t below = (ranks & (~ranks + 1)) - 1;
    const uint32_t place = num_ranks(~used & below);
    number += kChoose[place][k];
  }
  return number;
}

inline uint32_t set_of_number(uint32_t number, size_t size, uint32_t used) {
  uint32_t places = 0;
  size_t place = kNumRanks;
  for (size_t k = size; k > 0; --k) {
    do --place;
    while (kChoose[place][k] > number);
    number -= kChoose[place][k];
    places |= 1U << place;
  }
  for (; used != 0; used &= used - 1) {
    const uint32_t below = (used & (~used + 1)) - 1;
    places = (places & below) | (places & ~below) << 1;
  }
  return places;
}

}  // namespace cleave::poker
