#include "poker/hand_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/random.h"
#include "poker/cards.h"
#include "poker/numbering.h"

namespace cleave::poker {
namespace {

using Hand = std::vector<Card>;
const std::vector<int> kHoldem = {2, 3, 1, 1};

size_t num_cards(const std::vector<int>& rounds, int round) {
  return static_cast<size_t>(std::accumulate(rounds.begin(), rounds.begin() + round + 1, 0));
}

Hand random_hand(core::Random& random, size_t count, CardSet from = deck()) {
  Hand hand;
  while (hand.size() < count) {
    const Card card = static_cast<Card>(random.below(kNumCards));
    if ((from & set_of(card)) == 0) continue;
    from &= ~set_of(card);
    hand.push_back(card);
  }
  return hand;
}

// The rounds' sets under the suit map that makes them smallest.
std::vector<CardSet> canonical_form(const std::vector<int>& rounds, const Hand& hand) {
  std::vector<CardSet> sets;
  auto next = hand.begin();
  for (const int n : rounds) {
    if (next == hand.end()) break;
    CardSet set = 0;
    for (int i = 0; i < n; ++i) set |= set_of(*next++);
    sets.push_back(set);
  }
  std::vector<CardSet> best = sets;
  for (const SuitMap& map : all_suit_maps()) {
    std::vector<CardSet> renamed;
    for (const CardSet set : sets) renamed.push_back(rename(map, set));
    best = std::min(best, renamed);
  }
  return best;
}

// Burnside's lemma: classes are the mean, over the 24 suit maps, of the hands a map keeps. A map
// keeps a hand when each of its cycles' cards of one rank are dealt together in one round, so for
// a map with the given cycle lengths the hands it keeps are counted cycle by cycle: ways[n_0, ...]
// to have n_r cards in round r so far.
uint64_t kept_by(const std::vector<int>& rounds, const std::vector<int>& cycles) {
  std::map<std::vector<int>, uint64_t> ways;
  ways[std::vector<int>(rounds.size(), 0)] = 1;
  for (int rank = 0; rank < kNumRanks; ++rank) {
    for (const int cycle : cycles) {
      std::map<std::vector<int>, uint64_t> next = ways;  // not dealt at all
      for (const auto& [dealt, number] : ways) {
        for (size_t r = 0; r < rounds.size(); ++r) {
          std::vector<int> more = dealt;
          more[r] += cycle;
          if (more[r] <= rounds[r]) next[more] += number;
        }
      }
      ways = std::move(next);
    }
  }
  return ways[rounds];
}

uint64_t num_classes(const std::vector<int>& rounds) {
  return (kept_by(rounds, {1, 1, 1, 1}) + 6 * kept_by(rounds, {2, 1, 1}) +
          3 * kept_by(rounds, {2, 2}) + 8 * kept_by(rounds, {3, 1}) + 6 * kept_by(rounds, {4})) /
         24;
}

TEST(HandIndexTest, HoldemHasThePublishedSizes) {
  const HandIndex index(kHoldem);
  EXPECT_EQ(index.size(0), 169U);
  EXPECT_EQ(index.size(1), 1'286'792U);
  EXPECT_EQ(index.size(2), 55'190'538U);
  EXPECT_EQ(index.size(3), 2'428'287'420U);
}

class HandIndexRoundsTest : public testing::TestWithParam<std::vector<int>> {};

TEST_P(HandIndexRoundsTest, SizesAreBurnsides) {
  const HandIndex index(GetParam());
  for (int round = 0; round < static_cast<int>(GetParam().size()); ++round) {
    const std::vector<int> rounds(GetParam().begin(), GetParam().begin() + round + 1);
    EXPECT_EQ(index.size(round), num_classes(rounds)) << "round " << round;
  }
}

TEST_P(HandIndexRoundsTest, NumbersComeBack) {
  const HandIndex index(GetParam());
  core::Random random(11);
  for (int round = 0; round < static_cast<int>(GetParam().size()); ++round) {
    const bool all = index.size(round) <= 2000;
    const uint64_t trials = all ? index.size(round) : 2000;
    for (uint64_t trial = 0; trial < trials; ++trial) {
      uint64_t number = all ? trial : random.below(index.size(round));
      if (!all && trial < 2) number = trial == 0 ? 0 : index.size(round) - 1;
      const Hand hand = index.cards(round, number);
      ASSERT_EQ(hand.size(), num_cards(GetParam(), round));
      ASSERT_EQ(std::set<Card>(hand.begin(), hand.end()).size(), hand.size());
      ASSERT_EQ(index.index(round, hand), number);
    }
  }
}

TEST_P(HandIndexRoundsTest, SameForRenamedSuitsAndAnyOrderInARound) {
  const HandIndex index(GetParam());
  const std::vector<SuitMap> maps = all_suit_maps();
  core::Random random(12);
  for (int trial = 0; trial < 300; ++trial) {
    const int round = static_cast<int>(random.below(GetParam().size()));
    const Hand hand = random_hand(random, num_cards(GetParam(), round));
    const uint64_t number = index.index(round, hand);
    ASSERT_LT(number, index.size(round));
    ASSERT_EQ(canonical_form(GetParam(), index.cards(round, number)),
              canonical_form(GetParam(), hand));
    for (const SuitMap& map : maps) {
      Hand other;
      for (const Card card : hand) other.push_back(rename(map, card));
      auto begin = other.begin();
      for (int r = 0; r <= round; ++r) {
        const auto end = begin + GetParam()[static_cast<size_t>(r)];
        for (auto a = begin; a != end; ++a) {
          std::swap(*a, *(a + static_cast<ptrdiff_t>(random.below(size_t(end - a)))));
        }
        begin = end;
      }
      ASSERT_EQ(index.index(round, other), number);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rounds, HandIndexRoundsTest,
                         testing::Values(kHoldem, std::vector<int>{2, 3}, std::vector<int>{2, 4},
                                         std::vector<int>{2, 5}, std::vector<int>{5},
                                         std::vector<int>{7}, std::vector<int>{3, 1},
                                         std::vector<int>{1, 1}, std::vector<int>{4, 3},
                                         std::vector<int>{2, 0, 3}, std::vector<int>{10},
                                         std::vector<int>{1, 1, 1, 1, 1, 1, 1},
                                         std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));

// Two hands have one number exactly when they have one canonical form.
class Classes {
 public:
  explicit Classes(std::vector<int> rounds) : rounds_(std::move(rounds)), index_(rounds_) {}

  void add(const Hand& hand) {
    const std::vector<CardSet> form = canonical_form(rounds_, hand);
    const uint64_t number = index_.index(static_cast<int>(form.size()) - 1, hand);
    const auto of_form = numbers_.emplace(form, number).first;
    ASSERT_EQ(of_form->second, number);
    const auto of_number = forms_.emplace(number, form).first;
    ASSERT_EQ(of_number->second, form);
  }
  size_t size() const { return numbers_.size(); }

 private:
  std::vector<int> rounds_;
  HandIndex index_;
  std::map<std::vector<CardSet>, uint64_t> numbers_;
  std::unordered_map<uint64_t, std::vector<CardSet>> forms_;
};

TEST(HandIndexTest, AllHandsAreThe169) {
  Classes classes({2});
  for (Card a = 0; a < kNumCards; ++a) {
    for (Card b = 0; b < a; ++b) classes.add({a, b});
  }
  EXPECT_EQ(classes.size(), 169U);
}

TEST(HandIndexTest, AllFlopsAreThe1755) {
  Classes classes({3});
  for (const Deal& flop : deals(deck(), 3, {kSameSuits})) classes.add(cards_in(flop.cards));
  EXPECT_EQ(classes.size(), 1755U);
}

TEST(HandIndexTest, HandsOnAFlopAreToldApartUpToItsSymmetry) {
  size_t expected = 0;
  Classes together(kHoldem);
  for (const char* text : {"Td9d6h", "AsAhKs", "7c7d7h", "Qs8s3s", "Kd8h4c"}) {
    const Hand flop = parse_cards(text, "flop");
    CardSet board = 0;
    for (const Card card : flop) board |= set_of(card);
    for (Card a = 0; a < kNumCards; ++a) {
      for (Card b = 0; b < a; ++b) {
        if (((set_of(a) | set_of(b)) & board) != 0) continue;
        Hand hand = {a, b};
        hand.insert(hand.end(), flop.begin(), flop.end());
        together.add(hand);
      }
    }
    expected += deals(deck() & ~board, 2, keeping(all_suit_maps(), board)).size();
  }
  EXPECT_EQ(together.size(), expected);
}

TEST(HandIndexTest, TurnsAndRiversOfAFewRanksAreToldApart) {
  // Few ranks, so that hands of one class come up again.
  for (const size_t count : {size_t{6}, size_t{7}}) {
    Classes classes(kHoldem);
    core::Random random(13);
    for (int trial = 0; trial < 10'000; ++trial) {
      classes.add(random_hand(random, count, deck(2, 4)));
      classes.add(random_hand(random, count, deck(7, 4)));
    }
    EXPECT_GT(classes.size(), 5000U);
  }
}

TEST(HandIndexTest, RejectsRoundsItCannotNumber) {
  EXPECT_THROW(HandIndex({2, -1}), core::InputError);
  EXPECT_THROW(HandIndex({2, 9}), core::InputError);
  EXPECT_NO_THROW(HandIndex({0, 2}));
}

TEST(NumberingTest, RankSetsBesideUsedOnesAreNumberedDensely) {
  for (const uint32_t used : {0x0U, 0x1U, 0x1000U, 0x1ffU, 0xa51U}) {
    std::array<uint32_t, kNumRanks + 1> next = {};  // [size]
    for (uint32_t ranks = 0; ranks < 1U << kNumRanks; ++ranks) {
      ASSERT_EQ(num_ranks(ranks), static_cast<uint32_t>(std::popcount(ranks)));
      if ((ranks & used) != 0) continue;
      const size_t size = num_ranks(ranks);
      ASSERT_EQ(number_of_set(ranks, used), next[size]);
      ASSERT_EQ(set_of_number(next[size], size, used), ranks);
      ++next[size];
    }
  }
}

TEST(FullHandIndexTest, EveryFlopNumberComesBackOnce) {
  const HandIndex index(kHoldem);
  std::set<std::vector<CardSet>> forms;
  for (uint64_t number = 0; number < index.size(1); ++number) {
    const Hand hand = index.cards(1, number);
    ASSERT_EQ(index.index(1, hand), number);
    forms.insert(canonical_form(kHoldem, hand));
  }
  EXPECT_EQ(forms.size(), 1'286'792U);
}

TEST(FullHandIndexTest, ManyNumbersOfLaterRoundsComeBack) {
  const HandIndex index(kHoldem);
  core::Random random(14);
  for (int trial = 0; trial < 2'000'000; ++trial) {
    const int round = 2 + trial % 2;
    const uint64_t number = random.below(index.size(round));
    ASSERT_EQ(index.index(round, index.cards(round, number)), number);
  }
}

}  // namespace
}  // namespace cleave::poker
