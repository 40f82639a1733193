#include "poker/cards.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace cleave::poker {
namespace {

TEST(CardsTest, EveryCardHasItsOwnText) {
  CardSet seen = 0;
  for (const char rank : std::string("23456789TJQKA")) {
    for (const char suit : std::string("cdhs")) {
      const std::string text = {rank, suit};
      const std::vector<Card> cards = parse_cards(text, "card");
      ASSERT_EQ(cards.size(), 1U) << text;
      EXPECT_EQ(to_text(cards[0]), text);
      EXPECT_EQ(cards[0], std::popcount(seen)) << text;  // the order of the numbering
      seen |= set_of(cards[0]);
    }
  }
  EXPECT_EQ(seen, deck());
}

TEST(CardsTest, SmallDecksAreTheHighestRanksAndTheLastSuits) {
  EXPECT_EQ(to_text(deck(3, 2)), "AsAhKsKhQsQh");
  EXPECT_EQ(to_text(deck(3, 1)), "AsKsQs");
  EXPECT_EQ(deck(), (CardSet{1} << 52) - 1);
  for (int ranks = 1; ranks <= kNumRanks; ++ranks) {
    for (int suits = 1; suits <= kNumSuits; ++suits) {
      EXPECT_EQ(std::popcount(deck(ranks, suits)), ranks * suits);
      EXPECT_EQ(deck(ranks, suits) & ~deck(), 0U);
    }
  }
}

TEST(CardsTest, ReadsTheThreeNotationsInTheOrderGiven) {
  const std::vector<Card> expected = {make_card(8, 1), make_card(7, 1), make_card(12, 2)};
  for (const char* text : {"Td9dAh", "Td 9d Ah", "Td,9d,Ah", "td9dah", " Td , 9d,  Ah "}) {
    EXPECT_EQ(parse_cards(text, "board"), expected) << text;
  }
  EXPECT_TRUE(parse_cards("", "board").empty());
  EXPECT_TRUE(parse_cards("  ", "board").empty());
}

std::string error_of(std::string_view text) {
  try {
    parse_cards(text, "board");
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CardsTest, ErrorsNameTheCharacter) {
  const std::string ranks = " is not a rank; allowed are 23456789TJQKA";
  const std::string suits = " is not a suit; allowed are cdhs";
  EXPECT_EQ(error_of("Td1d6h"), "board: character 3: '1'" + ranks);
  EXPECT_EQ(error_of("Td9x"), "board: character 4: 'x'" + suits);
  EXPECT_EQ(error_of("Td9"), "board: character 4: the end" + suits);
  EXPECT_EQ(error_of("Td9 d"), "board: character 4: a space" + suits);
  EXPECT_EQ(error_of("Td9D"), "board: character 4: 'D'" + suits);
  EXPECT_EQ(error_of("Td,"), "board: character 4: the end" + ranks);
  EXPECT_EQ(error_of("Td, "), "board: character 5: the end" + ranks);
  EXPECT_EQ(error_of(",Td"), "board: character 1: ','" + ranks);
  EXPECT_EQ(error_of("Td,,9d"), "board: character 4: ','" + ranks);
  EXPECT_EQ(error_of("Td\n9d"), "board: character 3: the byte 0x0a" + ranks);
  EXPECT_EQ(error_of(std::string_view("Td\0", 3)), "board: character 3: the byte 0x00" + ranks);
  EXPECT_EQ(error_of("Td\xff"), "board: character 3: the byte 0xff" + ranks);
  EXPECT_EQ(error_of("Td9dtd"), "board: character 5: Td is there twice");
}

TEST(CardsTest, SetsComeBackFromTheirText) {
  core::Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const CardSet set = random.next() & random.next() & deck();
    const std::vector<Card> cards = cards_in(set);
    EXPECT_TRUE(std::is_sorted(cards.begin(), cards.end()));
    CardSet together = 0;
    for (const Card card : cards) together |= set_of(card);
    EXPECT_EQ(together, set);
    EXPECT_EQ(parse_cards(to_text(set), "set"), std::vector<Card>(cards.rbegin(), cards.rend()));
  }
}

}  // namespace
}  // namespace cleave::poker
