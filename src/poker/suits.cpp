#include "poker/suits.h"

#include <algorithm>
#include <cassert>

namespace cleave::poker {

SuitMap inverse(const SuitMap& map) {
  SuitMap out{};
  for (size_t suit = 0; suit < map.size(); ++suit) out[map[suit]] = static_cast<uint8_t>(suit);
  return out;
}

CardSet rename(const SuitMap& map, CardSet cards) {
  CardSet renamed = 0;
  for (int suit = 0; suit < kNumSuits; ++suit) {
    renamed |= ((cards >> suit) & kFirstSuit) << map[static_cast<size_t>(suit)];
  }
  return renamed;
}

std::vector<SuitMap> all_suit_maps(int suits) {
  assert(suits >= 1 && suits <= kNumSuits);
  std::vector<SuitMap> maps;
  SuitMap map = kSameSuits;
  do {
    maps.push_back(map);
  } while (std::next_permutation(map.end() - suits, map.end()));
  return maps;
}

std::vector<SuitMap> keeping(const std::vector<SuitMap>& maps, CardSet cards) {
  std::vector<SuitMap> kept;
  std::copy_if(maps.begin(), maps.end(), std::back_inserter(kept),
               [&](const SuitMap& map) { return rename(map, cards) == cards; });
  return kept;
}

std::vector<Deal> deals(CardSet from, int count, const std::vector<SuitMap>& group) {
  assert(count >= 0 && keeping(group, from).size() == group.size());
  const std::vector<Card> cards = cards_in(from);
  std::vector<Deal> result;
  std::vector<CardSet> images;
  // Bits are places in `cards`: all numbers of so many bits, ascending, as the sets then are too.
  uint64_t places = (uint64_t{1} << count) - 1;
  while (places < uint64_t{1} << cards.size()) {
    CardSet set = 0;
    for (uint64_t left = places; left != 0; left &= left - 1) set |= set_of(cards[lowest(left)]);
    // A class is met first at its smallest member, which stands for it.
    if (std::ranges::none_of(group, [&](const SuitMap& map) { return rename(map, set) < set; })) {
      Deal deal{.cards = set, .images = {kSameSuits}};
      images.assign(1, set);
      for (const SuitMap& map : group) {
        const CardSet image = rename(map, set);
        if (std::ranges::find(images, image) != images.end()) continue;
        images.push_back(image);
        deal.images.push_back(map);
      }
      result.push_back(std::move(deal));
    }
    if (places == 0) break;
    // Gosper's next number of as many bits: the lowest run moves its top bit up, the rest down.
    const uint64_t moved = places + (places & (~places + 1));
    places = moved | (places ^ moved) >> (2 + std::countr_zero(places));
  }
  return result;
}

}  // namespace cleave::poker
