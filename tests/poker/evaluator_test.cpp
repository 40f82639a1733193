#include "poker/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "core/random.h"

namespace cleave::poker {
namespace {

// By the rules, card by card: category, then ranks with those held more often first, in base 16.
// Ranks count from 1 here, so that the ace below a deuce is 0.
uint64_t value_of_at_most_five(std::span<const Card> cards) {
  std::array<int, kNumRanks> held = {};
  bool flush = cards.size() == 5;
  for (const Card card : cards) {
    ++held[static_cast<size_t>(rank_of(card))];
    flush = flush && suit_of(card) == suit_of(cards[0]);
  }
  std::array<std::pair<int, int>, 5> groups = {};  // (how many, rank)
  size_t size = 0;
  for (int rank = 0; rank < kNumRanks; ++rank) {
    if (const int n = held[static_cast<size_t>(rank)]; n > 0) groups[size++] = {n, rank + 1};
  }
  std::sort(groups.begin(), groups.end(), std::greater<>());
  if (size == 5 && groups[0].second == 13 && groups[1].second == 4) {
    std::rotate(groups.begin(), groups.begin() + 1, groups.end());
    groups[4].second = 0;
  }
  const bool straight = size == 5 && groups[0].second - groups[4].second == 4;
  uint64_t value = 0;
  if (straight && flush) {
    value = 8;
  } else if (groups[0].first == 4) {
    value = 7;
  } else if (groups[0].first == 3 && groups[1].first == 2) {
    value = 6;
  } else if (flush) {
    value = 5;
  } else if (straight) {
    value = 4;
  } else if (groups[0].first == 3) {
    value = 3;
  } else if (groups[0].first == 2) {
    value = groups[1].first == 2 ? 2 : 1;
  }
  for (const auto& group : groups) value = value * 16 + static_cast<uint64_t>(group.second);
  return value;
}

uint64_t slow_value(CardSet set) {
  const std::vector<Card> cards = cards_in(set);
  if (cards.size() <= 5) return value_of_at_most_five(cards);
  uint64_t best = 0;
  for (unsigned chosen = 0; chosen < 1U << cards.size(); ++chosen) {
    if (std::popcount(chosen) != 5) continue;
    std::array<Card, 5> five = {};
    size_t next = 0;
    for (size_t i = 0; i < cards.size(); ++i) {
      if ((chosen >> i & 1) != 0) five[next++] = cards[i];
    }
    best = std::max(best, value_of_at_most_five(five));
  }
  return best;
}

CardSet random_set(core::Random& random, int count, CardSet from = deck()) {
  CardSet set = 0;
  while (std::popcount(set) < count) {
    const CardSet card = set_of(static_cast<Card>(random.below(kNumCards)));
    set |= card & from;
  }
  return set;
}

// Whether strengths and slow values put hands in the same order.
class Order {
 public:
  void add(CardSet cards) {
    const uint64_t value = slow_value(cards);
    const Strength strength = strength_of(cards);
    const auto [known, is_new] = strengths_.emplace(value, strength);
    ASSERT_EQ(known->second, strength) << to_text(cards);
    if (std::popcount(cards) >= 5) {
      ASSERT_EQ(static_cast<uint64_t>(category_of(strength)), value >> 20) << to_text(cards);
    }
  }
  void expect_ascending() const {
    int64_t last = -1;
    for (const auto& [value, strength] : strengths_) {
      ASSERT_GT(int64_t{strength}, last) << std::hex << value;
      last = strength;
    }
  }
  size_t size() const { return strengths_.size(); }

 private:
  std::map<uint64_t, Strength> strengths_;
};

template <typename Visit>
void for_each_hand(int count, const Visit& visit) {
  for (CardSet set = (CardSet{1} << count) - 1; set >> kNumCards == 0;) {
    visit(set);
    // The next larger number with as many bits.
    const CardSet carried = set + (set & (~set + 1));
    set = carried | (((set ^ carried) >> 2) / (set & (~set + 1)));
  }
}

// One hand for each of the 7,462 that differ: ranks in all ways, of one suit or of several.
void add_all_kinds_of_five(Order& order) {
  std::array<int, 5> r = {};
  for (r[0] = 0; r[0] < 13; ++r[0]) {
    for (r[1] = r[0]; r[1] < 13; ++r[1]) {
      for (r[2] = r[1]; r[2] < 13; ++r[2]) {
        for (r[3] = r[2]; r[3] < 13; ++r[3]) {
          for (r[4] = r[3]; r[4] < 13; ++r[4]) {
            CardSet suited = 0, mixed = 0;
            for (int i = 0; i < 5; ++i) {
              suited |= set_of(make_card(r[static_cast<size_t>(i)], 0));
              mixed |= set_of(make_card(r[static_cast<size_t>(i)], i % 4));
            }
            if (std::popcount(suited) == 5) order.add(suited);
            if (std::popcount(mixed) == 5) order.add(mixed);
          }
        }
      }
    }
  }
}

TEST(EvaluatorTest, FiveCardCategoriesHaveThePublishedCounts) {
  std::array<int64_t, 9> counts = {};
  for_each_hand(
      5, [&](CardSet hand) { ++counts[static_cast<size_t>(category_of(strength_of(hand)))]; });
  const std::array<int64_t, 9> published = {1302540, 1098240, 123552, 54912, 10200,
                                            5108,    3744,    624,    40};
  EXPECT_EQ(counts, published);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), int64_t{0}), 2598960);
}

TEST(EvaluatorTest, FiveToSevenCardsKeepTheOrderOfTheRules) {
  Order order;
  add_all_kinds_of_five(order);
  EXPECT_EQ(order.size(), 7462U);
  core::Random random(7);
  for (int trial = 0; trial < 100'000; ++trial) order.add(random_set(random, 7));
  for (int trial = 0; trial < 20'000; ++trial) order.add(random_set(random, 6));
  // Few ranks or suits: full houses, fours, flushes and straights among seven cards.
  for (int trial = 0; trial < 5'000; ++trial) {
    order.add(random_set(random, 7, deck(4, 4)));
    order.add(random_set(random, 7, deck(13, 1)));
    order.add(random_set(random, 7, deck(13, 2)));
    order.add(random_set(random, 7, deck(7, 3)));
    order.add(random_set(random, 7, 0xf0000000fffff));  // aces and 2 to 6
  }
  EXPECT_EQ(order.size(), 7462U);
  order.expect_ascending();
}

TEST(EvaluatorTest, FewerThanFiveCardsKnowNoStraightsAndFlushes) {
  for (int count = 1; count <= 4; ++count) {
    Order order;
    std::set<Category> categories;
    for_each_hand(count, [&](CardSet hand) {
      order.add(hand);
      categories.insert(category_of(strength_of(hand)));
    });
    order.expect_ascending();
    // Multisets of so many ranks.
    const std::array<size_t, 5> kinds = {0, 13, 91, 455, 1820};
    EXPECT_EQ(order.size(), kinds[static_cast<size_t>(count)]);
    EXPECT_EQ(categories.count(Category::kStraight), 0U);
    EXPECT_EQ(categories.count(Category::kFlush), 0U);
    const std::array<size_t, 5> num_categories = {0, 1, 2, 3, 5};
    EXPECT_EQ(categories.size(), num_categories[static_cast<size_t>(count)]);
  }
}

Strength strength_of_text(std::string_view text) {
  CardSet set = 0;
  for (const Card card : parse_cards(text, "hand")) set |= set_of(card);
  return strength_of(set);
}

TEST(EvaluatorTest, KnownHands) {
  const auto s = strength_of_text;
  EXPECT_GT(s("QhQs"), s("AsKs"));  // Leduc
  EXPECT_GT(s("As"), s("Ks"));      // Kuhn
  EXPECT_EQ(s("As"), s("Ac"));
  EXPECT_GT(s("6s5d4c3h2s"), s("As2d3c4h5s"));  // the wheel is the lowest straight
  EXPECT_GT(s("As2d3c4h5s"), s("AsAdAcKhQs"));
  EXPECT_EQ(category_of(s("QsKdAc2h3s")), Category::kHighCard);  // nothing goes around
  EXPECT_EQ(s("AsKsQsJsTs9s8s"), s("AhKhQhJhTh2c2d"));
  EXPECT_EQ(s("AsAhKsKhQsQhJd"), s("AsAhKsKhQd3c2d"));  // three pairs play two and a queen
  EXPECT_EQ(s("AsAhAdKsKhKdQs"), s("AsAhAdKsKh2d3s"));  // two threes are a full house
  EXPECT_EQ(s("AsAhAdAcKsKhKd"), s("AsAhAdAcKsQhQd"));
  EXPECT_EQ(s("As2s3s4s5s6h7h"), s("As2s3s4s5s9h9d"));  // straight flush before the higher straight
  EXPECT_STREQ(to_string(category_of(s("As2s3s4s5s"))), "straight flush");
  EXPECT_STREQ(to_string(category_of(s("AsAhKsKh2d"))), "two pairs");
}

TEST(FullEvaluatorTest, AllFiveCardHands) {
  Order order;
  for_each_hand(5, [&](CardSet hand) { order.add(hand); });
  EXPECT_EQ(order.size(), 7462U);
  order.expect_ascending();
}

TEST(FullEvaluatorTest, AllSevenCardCategoriesHaveThePublishedCounts) {
  std::array<int64_t, 9> counts = {};
  for_each_hand(
      7, [&](CardSet hand) { ++counts[static_cast<size_t>(category_of(strength_of(hand)))]; });
  const std::array<int64_t, 9> published = {23294460, 58627800, 31433400, 6461620, 6180020,
                                            4047644,  3473184,  224848,   41584};
  EXPECT_EQ(counts, published);
}

TEST(FullEvaluatorTest, MillionsOfSevenCardHands) {
  Order order;
  add_all_kinds_of_five(order);
  core::Random random(77);
  for (int trial = 0; trial < 5'000'000; ++trial) order.add(random_set(random, 7));
  for (int trial = 0; trial < 1'000'000; ++trial) order.add(random_set(random, 6));
  EXPECT_EQ(order.size(), 7462U);
  order.expect_ascending();
}

}  // namespace
}  // namespace cleave::poker
