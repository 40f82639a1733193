// After K. Waugh, "A Fast and Optimal Hand Isomorphism Algorithm" (AAAI workshop on computer poker,
// 2013). A hand is four suits, each a rank set per round. How many ranks a suit has in each round
// is its profile; among the rank sets of one profile a suit has a number. Up to symmetry a hand is
// the multiset of its suits' (profile, number): the multiset of profiles is its shape, and suits
// that share a profile are a multiset of numbers. Shapes follow each other in the numbering.

#include "poker/hand_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "core/error.h"
#include "poker/numbering.h"

namespace cleave::poker {
namespace {

// Up to 52! / 42! < 2^56 classes, so that no product below overflows.
constexpr int kMaxCards = 10;

// A suit's profile in mixed radix, the first round highest (a round of n cards has the digits 0 to
// n), and the number of its rank sets. Profiles are below 2^10, numbers below 13! / 3! < 2^31.
struct Suit {
  uint32_t profile = 0;
  uint32_t number = 0;
  uint32_t size = 1;  // numbers that the profile has
  uint32_t used = 0;  // ranks of earlier rounds

  uint64_t key() const { return uint64_t{profile} << 32 | number; }
};

using Profiles = std::array<uint32_t, kNumSuits>;
// Profiles in descending order, 16 bits each.
using Shape = uint64_t;
Shape make_shape(const Profiles& profiles) {
  Shape shape = 0;
  for (const uint32_t profile : profiles) shape = shape << 16 | profile;
  return shape;
}
Profiles profiles_of(Shape shape) {
  return {static_cast<uint32_t>(shape >> 48), static_cast<uint32_t>(shape >> 32 & 0xffff),
          static_cast<uint32_t>(shape >> 16 & 0xffff), static_cast<uint32_t>(shape & 0xffff)};
}

// Calls visit(first, count) for the runs of equal profiles.
template <typename Visit>
void for_each_group(const Profiles& profiles, const Visit& visit) {
  for (size_t first = 0, last = 0; first < kNumSuits; first = last) {
    while (last < kNumSuits && profiles[last] == profiles[first]) ++last;
    visit(first, static_cast<int>(last - first));
  }
}

void add_round(Suit& suit, uint32_t ranks, uint32_t cards_in_round) {
  if (ranks == 0) {
    suit.profile *= cards_in_round + 1;
    return;
  }
  const uint32_t size = num_ranks(ranks);
  const uint32_t sets = kChoose[kNumRanks - num_ranks(suit.used)][size];
  suit.profile = suit.profile * (cards_in_round + 1) + size;
  suit.number = suit.number * sets + number_of_set(ranks, suit.used);
  suit.size *= sets;
  suit.used |= ranks;
}

// The place of a shape that is there. Whether to go left or right is as good as random, so it is
// arithmetic instead of a branch.
size_t find_shape(const std::vector<Shape>& shapes, Shape shape) {
  const Shape* first = shapes.data();
  for (size_t size = shapes.size(); size > 1;) {
    const size_t half = size / 2;
    first += half * static_cast<size_t>(first[half] <= shape);
    size -= half;
  }
  assert(*first == shape);
  return static_cast<size_t>(first - shapes.data());
}

void sort_by_key(std::array<Suit, kNumSuits>& suits) {
  const auto order = [&](size_t a, size_t b) {
    if (suits[a].key() < suits[b].key()) std::swap(suits[a], suits[b]);
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
}

// Deals the n cards of a round to the suits of each earlier shape in all ways.
std::vector<Shape> shapes_after(const std::vector<Shape>& before, uint32_t n) {
  std::vector<Shape> shapes;
  for (const Shape shape : before) {
    for (uint32_t a = 0; a <= n; ++a) {
      for (uint32_t b = 0; a + b <= n; ++b) {
        for (uint32_t c = 0; a + b + c <= n; ++c) {
          auto profiles = profiles_of(shape);
          const std::array<uint32_t, kNumSuits> dealt = {a, b, c, n - a - b - c};
          for (size_t s = 0; s < kNumSuits; ++s) profiles[s] = profiles[s] * (n + 1) + dealt[s];
          std::sort(profiles.begin(), profiles.end(), std::greater<>());
          shapes.push_back(make_shape(profiles));
        }
      }
    }
  }
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  return shapes;
}

}  // namespace

void HandIndex::add_offsets(size_t round) {
  std::vector<uint64_t>& offsets = rounds_[round].offsets;
  offsets.push_back(0);
  for (const Shape shape : rounds_[round].shapes) {
    const auto profiles = profiles_of(shape);
    uint64_t size = 1;
    for_each_group(profiles, [&](size_t first, int count) {
      size *= num_multisets(size_of_profile(round, profiles[first]), count);
    });
    offsets.push_back(offsets.back() + size);
  }
}

std::vector<uint32_t> HandIndex::sizes_of_profile(size_t round, uint32_t profile) const {
  std::vector<uint32_t> sizes(round + 1);
  for (size_t r = round + 1; r-- > 0;) {
    sizes[r] = profile % (rounds_[r].cards + 1);
    profile /= rounds_[r].cards + 1;
  }
  return sizes;
}

uint64_t HandIndex::size_of_profile(size_t round, uint32_t profile) const {
  uint64_t size = 1;
  size_t left = kNumRanks;
  for (const uint32_t n : sizes_of_profile(round, profile)) {
    size *= kChoose[left][n];
    left -= n;
  }
  return size;
}

std::vector<uint32_t> HandIndex::sets_of_suit(size_t round, uint32_t profile,
                                              uint64_t number) const {
  const std::vector<uint32_t> sizes = sizes_of_profile(round, profile);
  std::vector<uint32_t> sets(sizes.size());
  size_t left = kNumRanks - std::accumulate(sizes.begin(), sizes.end(), size_t{0});
  for (size_t r = sizes.size(); r-- > 0;) {  // the last round is the lowest digit
    left += sizes[r];
    sets[r] = static_cast<uint32_t>(number % kChoose[left][sizes[r]]);
    number /= kChoose[left][sizes[r]];
  }
  uint32_t used = 0;
  for (size_t r = 0; r < sizes.size(); ++r) {
    sets[r] = set_of_number(sets[r], sizes[r], used);
    used |= sets[r];
  }
  return sets;
}

HandIndex::HandIndex(const std::vector<int>& cards_per_round) {
  size_t cards = 0;
  std::vector<Shape> before = {0};
  for (const int n : cards_per_round) {
    cards += static_cast<size_t>(std::max(n, 0));
    if (n < 0 || cards > kMaxCards) {
      throw core::InputError(fmt::format(
          "hand index: rounds of {} cards; allowed are 0 or more in a round and {} in all",
          fmt::join(cards_per_round, ", "), kMaxCards));
    }
    const auto in_round = static_cast<uint32_t>(n);
    before = shapes_after(before, in_round);
    rounds_.push_back({in_round, cards, before, {}});
    add_offsets(rounds_.size() - 1);
  }
}

uint64_t HandIndex::index(std::initializer_list<CardSet> rounds) const {
  std::array<Card, kMaxCards> cards = {};
  size_t count = 0;
  for (CardSet left : rounds) {
    for (; left != 0; left &= left - 1) cards[count++] = lowest(left);
  }
  return index(static_cast<int>(rounds.size()) - 1, {cards.data(), count});
}

uint64_t HandIndex::index(int round, std::span<const Card> cards) const {
  const Round& last = rounds_[static_cast<size_t>(round)];
  assert(cards.size() == last.cards_so_far);
  std::array<Suit, kNumSuits> suits;
  auto card = cards.begin();
  for (int r = 0; r <= round; ++r) {
    const uint32_t n = rounds_[static_cast<size_t>(r)].cards;
    std::array<uint32_t, kNumSuits> ranks = {};
    for (uint32_t i = 0; i < n; ++i, ++card) {
      ranks[static_cast<size_t>(suit_of(*card))] |= 1U << rank_of(*card);
    }
    for (size_t s = 0; s < kNumSuits; ++s) add_round(suits[s], ranks[s], n);
  }
  sort_by_key(suits);

  const Profiles profiles = {suits[0].profile, suits[1].profile, suits[2].profile,
                             suits[3].profile};
  uint64_t within = 0;
  for_each_group(profiles, [&](size_t first, int count) {
    within *= num_multisets(suits[first].size, count);
    for (int i = 0; i < count; ++i) {
      within += num_multisets(suits[first + static_cast<size_t>(i)].number, count - i);
    }
  });
  return last.offsets[find_shape(last.shapes, make_shape(profiles))] + within;
}

std::vector<Card> HandIndex::cards(int round, uint64_t index) const {
  const size_t r = static_cast<size_t>(round);
  const Round& last = rounds_[r];
  assert(index < last.offsets.back());
  const auto after = std::upper_bound(last.offsets.begin(), last.offsets.end(), index);
  const size_t place = static_cast<size_t>(after - last.offsets.begin()) - 1;
  const auto profiles = profiles_of(last.shapes[place]);
  uint64_t within = index - last.offsets[place];

  std::vector<CardSet> dealt(r + 1);
  size_t end = kNumSuits;  // groups from the last, which is the lowest digit
  while (end > 0) {
    size_t first = end - 1;
    while (first > 0 && profiles[first - 1] == profiles[first]) --first;
    const int count = static_cast<int>(end - first);
    const uint64_t size = size_of_profile(r, profiles[first]);
    uint64_t number = within % num_multisets(size, count);
    within /= num_multisets(size, count);
    for (size_t suit = first; suit < end; ++suit) {
      const int left = static_cast<int>(end - suit);
      const uint64_t own = largest_multiset(number, left, size);
      number -= num_multisets(own, left);
      const std::vector<uint32_t> sets = sets_of_suit(r, profiles[first], own);
      for (size_t q = 0; q <= r; ++q) {
        for (uint32_t ranks = sets[q]; ranks != 0; ranks &= ranks - 1) {
          dealt[q] |= set_of(make_card(std::countr_zero(ranks), static_cast<int>(suit)));
        }
      }
    }
    end = first;
  }
  std::vector<Card> result;
  for (const CardSet set : dealt) std::ranges::copy(cards_in(set), std::back_inserter(result));
  return result;
}

}  // namespace cleave::poker
