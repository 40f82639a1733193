#pragma once

#include "poker/cards.h"

namespace cleave::poker {

enum class Category : uint8_t {
  kHighCard,
  kPair,
  kTwoPairs,
  kThree,
  kStraight,
  kFlush,
  kFullHouse,
  kFour,
  kStraightFlush
};

// Of the best five cards among the given ones (one to seven of them), as a number: the higher wins,
// equal ones split. With fewer than five cards there are no straights and flushes.
using Strength = uint32_t;
Strength strength_of(CardSet cards);
Category category_of(Strength strength);
const char* to_string(Category category);

}  // namespace cleave::poker
