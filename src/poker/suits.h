#pragma once

#include <array>
#include <vector>

#include "poker/cards.h"

// Suit symmetry: hands and boards that differ only by renaming suits play the same.
namespace cleave::poker {

using SuitMap = std::array<uint8_t, kNumSuits>;  // [suit] = its new name
inline constexpr SuitMap kSameSuits = {0, 1, 2, 3};

constexpr Card rename(const SuitMap& map, Card card) {
  return make_card(rank_of(card), map[static_cast<size_t>(suit_of(card))]);
}
CardSet rename(const SuitMap& map, CardSet cards);
SuitMap inverse(const SuitMap& map);

// The renamings of the last `suits` suits among themselves; the identity comes first.
std::vector<SuitMap> all_suit_maps(int suits = kNumSuits);
// Those of `maps` that leave the set as it is.
std::vector<SuitMap> keeping(const std::vector<SuitMap>& maps, CardSet cards);

// The sets of `count` cards out of `from`, one of each class under `group` (a group of renamings
// that keep `from`), with how it becomes each other member of its class: images[0] is the identity.
struct Deal {
  CardSet cards;
  std::vector<SuitMap> images;
};
std::vector<Deal> deals(CardSet from, int count, const std::vector<SuitMap>& group);

}  // namespace cleave::poker
