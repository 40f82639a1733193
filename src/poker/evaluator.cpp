#include "poker/evaluator.h"

#include <array>
#include <cassert>

// Ranks are bits 0, 4, ..., 48 here, as one suit of a CardSet has them: counts of cards, sums and
// runs of ranks are then a few operations on one word.
namespace cleave::poker {
namespace {

constexpr uint64_t kEachRank = kFirstSuit;

// Category, then the ranks that make it, then the kickers: 13 bits each. Hands of one category have
// equally many of both, so the higher number has the higher rank where they first differ.
constexpr int kCategoryShift = 2 * kNumRanks;

// At most 15 bits.
int count(uint64_t ranks) { return static_cast<int>((ranks * 0x1111111111111111) >> 60); }

uint32_t packed(uint64_t ranks) {
  ranks = (ranks | (ranks >> 3)) & 0x0303030303030303;
  ranks = (ranks | (ranks >> 6)) & 0x000f000f000f000f;
  ranks = (ranks | (ranks >> 12)) & 0x000000ff000000ff;
  return static_cast<uint32_t>(ranks | (ranks >> 24)) & 0x1fff;
}

uint64_t highest(uint64_t ranks, int limit = 1) {
  if (limit == 1) return ranks == 0 ? 0 : std::bit_floor(ranks);
  for (int excess = count(ranks) - limit; excess > 0; --excess) ranks &= ranks - 1;
  return ranks;
}

// The highest rank that ends five in a row, where the ace may also stand below the deuce.
uint64_t straight(uint64_t ranks) {
  const uint64_t from_ace = (ranks << 4) | (ranks >> 48);
  const uint64_t two = from_ace & (from_ace >> 4);
  const uint64_t five = two & (two >> 8) & (from_ace >> 16);
  return highest(five) << 12;  // the lowest of five, one place up because of the ace
}

Strength strength(Category category, uint64_t made_of, uint64_t kickers) {
  return (static_cast<Strength>(category) << kCategoryShift) | (packed(made_of) << kNumRanks) |
         packed(kickers);
}

// Five to seven cards of one suit leave too few others for four of a kind or a full house.
Strength of_flush(uint64_t suited) {
  const uint64_t top = straight(suited);
  if (top != 0) return strength(Category::kStraightFlush, top, 0);
  return strength(Category::kFlush, highest(suited, 5), 0);
}

}  // namespace

Strength strength_of(CardSet cards) {
  assert(cards != 0 && cards >> kNumCards == 0 && std::popcount(cards) <= 7);
  for (int suit = 0; suit < kNumSuits; ++suit) {
    const uint64_t suited = (cards >> suit) & kEachRank;
    if (count(suited) >= 5) return of_flush(suited);
  }

  // Cards of each rank, in the rank's four bits.
  const uint64_t halves = cards - ((cards >> 1) & (5 * kEachRank));
  const uint64_t counts = (halves & (3 * kEachRank)) + ((halves >> 2) & (3 * kEachRank));
  const uint64_t fours = (counts >> 2) & kEachRank;
  const uint64_t threes = (counts >> 1) & counts & kEachRank;
  const uint64_t pairs = (counts >> 1) & ~counts & kEachRank;
  const uint64_t all = (counts | (counts >> 1) | (counts >> 2)) & kEachRank;

  if (fours != 0) return strength(Category::kFour, fours, highest(all ^ fours));
  const uint64_t three = highest(threes);
  if (three != 0) {
    const uint64_t pair = highest(pairs | (threes ^ three));
    if (pair != 0) return strength(Category::kFullHouse, three, pair);
  }
  const uint64_t top = straight(all);
  if (top != 0) return strength(Category::kStraight, top, 0);
  if (three != 0) return strength(Category::kThree, three, highest(all ^ three, 2));
  if (pairs == 0) return strength(Category::kHighCard, highest(all, 5), 0);
  const uint64_t two = highest(pairs, 2);
  if ((two & (two - 1)) != 0) return strength(Category::kTwoPairs, two, highest(all ^ two));
  return strength(Category::kPair, two, highest(all ^ two, 3));
}

Category category_of(Strength strength) {
  return static_cast<Category>(strength >> kCategoryShift);
}

const char* to_string(Category category) {
  constexpr std::array<const char*, 9> kNames = {
      "high card", "pair",       "two pairs",      "three of a kind", "straight",
      "flush",     "full house", "four of a kind", "straight flush"};
  return kNames[static_cast<size_t>(category)];
}

}  // namespace cleave::poker
