#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "poker/cards.h"

namespace cleave::poker {
namespace {

CardSet set_from(std::string_view text) {
  CardSet set = 0;
  for (const Card card : parse_cards(text, "cards")) set |= set_of(card);
  return set;
}

CardSet rename_one_by_one(const SuitMap& map, CardSet cards) {
  CardSet renamed = 0;
  for (const Card card : cards_in(cards)) renamed |= set_of(rename(map, card));
  return renamed;
}

TEST(SuitsTest, RenamesCards) {
  const SuitMap turn = {1, 2, 3, 0};
  EXPECT_EQ(rename(turn, make_card(7, 0)), make_card(7, 1));
  EXPECT_EQ(to_text(rename(turn, set_from("AsKh2c"))), "AcKs2d");
  for (const SuitMap& map : all_suit_maps()) {
    EXPECT_EQ(rename(map, deck()), deck());
    EXPECT_EQ(rename(map, set_from("AsKhKs7d6d2c")),
              rename_one_by_one(map, set_from("AsKhKs7d6d2c")));
  }
}

TEST(SuitsTest, MapsAreAllRenamingsOfTheLastSuits) {
  size_t expected = 1;
  for (int suits = 1; suits <= kNumSuits; ++suits) {
    expected *= static_cast<size_t>(suits);
    const std::vector<SuitMap> maps = all_suit_maps(suits);
    EXPECT_EQ(maps.size(), expected);
    EXPECT_EQ(maps[0], kSameSuits);
    EXPECT_EQ(std::set<SuitMap>(maps.begin(), maps.end()).size(), expected);
    EXPECT_EQ(keeping(maps, deck(13, suits)).size(), expected);
  }
}

TEST(SuitsTest, KeepingLeavesTheStabiliser) {
  const std::vector<SuitMap> all = all_suit_maps();
  EXPECT_EQ(keeping(all, 0).size(), 24U);
  EXPECT_EQ(keeping(all, set_from("Td9d6h")).size(), 2U);
  EXPECT_EQ(keeping(all, set_from("Ts9s6s")).size(), 6U);
  EXPECT_EQ(keeping(all, set_from("Ts9h6d")).size(), 1U);
  EXPECT_EQ(keeping(all, set_from("TsTh6d")).size(), 2U);
  EXPECT_EQ(keeping(all, set_from("TsTh6d")).front(), kSameSuits);
}

std::vector<CardSet> sets_of(CardSet from, int count) {
  if (count == 0) return {0};
  std::vector<CardSet> sets;
  for (const Card highest : cards_in(from)) {
    for (const CardSet rest : sets_of(from & (set_of(highest) - 1), count - 1)) {
      sets.push_back(rest | set_of(highest));
    }
  }
  return sets;
}

// Every set is one image of one deal, and the deal is the first of its class.
void expect_partition(CardSet from, int count, const std::vector<SuitMap>& group) {
  const std::vector<CardSet> all = sets_of(from, count);
  std::map<CardSet, CardSet> representative;
  CardSet last = 0;
  for (const Deal& deal : deals(from, count, group)) {
    ASSERT_FALSE(deal.images.empty());
    EXPECT_EQ(deal.images[0], kSameSuits);
    EXPECT_TRUE(representative.empty() || deal.cards > last);
    last = deal.cards;
    for (const SuitMap& map : deal.images) {
      EXPECT_TRUE(std::find(group.begin(), group.end(), map) != group.end());
      const CardSet image = rename_one_by_one(map, deal.cards);
      EXPECT_GE(image, deal.cards);
      EXPECT_TRUE(representative.emplace(image, deal.cards).second) << to_text(image);
    }
  }
  ASSERT_EQ(representative.size(), all.size());
  for (const CardSet cards : all) {
    ASSERT_EQ(representative.count(cards), 1U) << to_text(cards);
    for (const SuitMap& map : group) {
      ASSERT_EQ(representative[cards], representative[rename_one_by_one(map, cards)]);
    }
  }
}

TEST(SuitsTest, FlopsOfTheWholeDeck) {
  EXPECT_EQ(deals(deck(), 3, all_suit_maps()).size(), 1755U);
  expect_partition(deck(), 3, all_suit_maps());
}

TEST(SuitsTest, TurnsOnATwoSuitedFlop) {
  const CardSet board = set_from("Td9d6h");
  const std::vector<SuitMap> group = keeping(all_suit_maps(), board);
  const std::vector<Deal> turns = deals(deck() & ~board, 1, group);
  // 23 diamonds and hearts stand alone, each club stands for a spade.
  EXPECT_EQ(turns.size(), 36U);
  size_t alone = 0;
  for (const Deal& turn : turns) alone += turn.images.size() == 1;
  EXPECT_EQ(alone, 23U);
  expect_partition(deck() & ~board, 1, group);
  expect_partition(deck() & ~board, 2, group);
}

TEST(SuitsTest, SmallDecksAndCounts) {
  for (int suits = 1; suits <= kNumSuits; ++suits) {
    for (int count = 0; count <= 5; ++count) {
      expect_partition(deck(3, suits), count, all_suit_maps(suits));
    }
  }
  const std::vector<Deal> nothing = deals(deck(), 0, all_suit_maps());
  ASSERT_EQ(nothing.size(), 1U);
  EXPECT_EQ(nothing[0].cards, 0U);
  EXPECT_EQ(nothing[0].images, std::vector<SuitMap>{kSameSuits});
  EXPECT_TRUE(deals(deck(1, 2), 3, all_suit_maps(2)).empty());
  EXPECT_EQ(deals(deck(), 3, {kSameSuits}).size(), 22100U);
}

}  // namespace
}  // namespace cleave::poker
