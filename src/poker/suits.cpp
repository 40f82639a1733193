#include "poker/suits.h"

#include <algorithm>
#include <cassert>

namespace cleave::poker {
namespace {

constexpr CardSet kFirstSuit = 0x1111111111111;

// Calls visit(set) for the sets of `count` cards, in ascending order as numbers.
template <typename Visit>
void for_each_set(CardSet from, int count, const Visit& visit) {
  const std::vector<Card> cards = cards_in(from);
  const size_t size = static_cast<size_t>(count);
  if (size > cards.size()) return;
  std::vector<size_t> places(size + 1);  // ascending places in `cards`, and the end
  for (size_t i = 0; i < size; ++i) places[i] = i;
  places[size] = cards.size();
  for (;;) {
    CardSet set = 0;
    for (size_t i = 0; i < size; ++i) set |= set_of(cards[places[i]]);
    visit(set);
    size_t i = 0;
    while (i < size && places[i] + 1 == places[i + 1]) ++i;
    if (i == size) return;
    ++places[i];
    while (i-- > 0) places[i] = i;
  }
}

}  // namespace

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
  std::vector<Deal> result;
  std::vector<CardSet> images;
  for_each_set(from, count, [&](CardSet cards) {
    // A class is met first at its smallest member, which stands for it.
    if (std::any_of(group.begin(), group.end(),
                    [&](const SuitMap& map) { return rename(map, cards) < cards; })) {
      return;
    }
    Deal deal{.cards = cards, .images = {kSameSuits}};
    images.assign(1, cards);
    for (const SuitMap& map : group) {
      const CardSet image = rename(map, cards);
      if (std::find(images.begin(), images.end(), image) != images.end()) continue;
      images.push_back(image);
      deal.images.push_back(map);
    }
    result.push_back(std::move(deal));
  });
  return result;
}

}  // namespace cleave::poker
