#pragma once

#include <array>
#include <string>
#include <string_view>

#include "poker/cards.h"

namespace cleave::poker {

inline constexpr size_t kNumCombos = 1326;

// Two-card hands numbered by (higher card, lower card): combo_index(c1, c2) with c1 > c2 is
// c1 * (c1 - 1) / 2 + c2.
constexpr size_t combo_index(Card a, Card b) {
  return a > b ? static_cast<size_t>(a) * (a - 1u) / 2 + b
               : static_cast<size_t>(b) * (b - 1u) / 2 + a;
}
inline size_t combo_of(CardSet hand) {
  return combo_index(lowest(hand), lowest(hand & (hand - 1)));
}
CardSet combo_cards(size_t combo);

// A weight in [0, 1] for every two-card hand.
struct Range {
  std::array<float, kNumCombos> weight{};
  friend bool operator==(const Range&, const Range&) = default;
};

// "66+,A8s+,A5s-A4s,KQo,QTs+:0.5,AhKh,76": pairs, suited, offsuit, both, single hands; "+" upwards
// (the lower card of a non-pair up to below the higher), "-" from one to another, ":w" a weight.
// "random" or "100%" is every hand. A later entry replaces the weight an earlier one gave to the
// same hand. Throws InputError that begins with `what`, names the character (from 1) and shows what
// is allowed there.
Range parse_range(std::string_view text, std::string_view what = "range");
// The shortest notation that parse_range reads back to the same weights (to six decimals).
std::string to_text(const Range& range);

double num_hands(const Range& range);  // sum of the weights
// Those of `maps` under which both hands and their renamed ones have equal weights.
std::vector<SuitMap> keeping(const std::vector<SuitMap>& maps, const Range& range);

}  // namespace cleave::poker
