#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cleave::poker {

// rank * 4 + suit. Ranks from 0 (deuce) to 12 (ace); suits: clubs, diamonds, hearts, spades.
using Card = uint8_t;
using CardSet = uint64_t;  // bit per card

inline constexpr int kNumRanks = 13;
inline constexpr int kNumSuits = 4;
inline constexpr int kNumCards = 52;
inline constexpr std::string_view kRankLetters = "23456789TJQKA";  // [rank]
inline constexpr std::string_view kSuitLetters = "cdhs";           // [suit]

inline constexpr CardSet kFirstSuit = 0x1111111111111;

constexpr int rank_of(Card card) { return card / kNumSuits; }
constexpr int suit_of(Card card) { return card % kNumSuits; }
constexpr Card make_card(int rank, int suit) { return static_cast<Card>(rank * kNumSuits + suit); }
constexpr CardSet set_of(Card card) { return CardSet{1} << card; }
CardSet set_of(const std::vector<Card>& cards);
constexpr Card lowest(CardSet cards) { return static_cast<Card>(std::countr_zero(cards)); }

// The highest ranks and the last suits, as the competition's dealer has it: Leduc's deck of three
// ranks and two suits is Qh Qs Kh Ks Ah As.
CardSet deck(int ranks = kNumRanks, int suits = kNumSuits);

std::vector<Card> cards_in(CardSet cards);  // ascending

// "Td". The reader takes either case of the rank.
std::string to_text(Card card);
// "Td9d6h", highest first.
std::string to_text(CardSet cards);
std::string to_text(const std::vector<Card>& cards);  // in that order
// "Td9d6h", "Td 9d 6h" or "Td,9d,6h", in that order. Throws InputError that begins with `what`
// ("board") and names the character where it stops being cards, or the card that is there twice.
std::vector<Card> parse_cards(std::string_view text, std::string_view what);

// Suit symmetry: hands and boards that differ only by renaming suits play the same.
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
