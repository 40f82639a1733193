#include "poker/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "core/error.h"
#include "core/random.h"
#include "source_path.h"

namespace cleave::poker {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kLeduc =
    "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 2 4\n"
    "firstPlayer = 1 1\nmaxRaises = 2 2\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 1\n"
    "numBoardCards = 0 1\nEND GAMEDEF\n";

std::string error_of(const std::string& text) {
  try {
    parse_definition(text, "x.game");
  } catch (const core::InputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DefinitionTest, LeducAsTheFormatHasIt) {
  const Definition game = parse_definition(kLeduc, "dir/leduc.two.game");
  EXPECT_EQ(game.name, "leduc.two");
  EXPECT_TRUE(game.limit);
  EXPECT_EQ(game.stack, (std::array<Chips, 2>{INT32_MAX, INT32_MAX}));
  EXPECT_EQ(game.blind, (std::array<Chips, 2>{1, 1}));
  EXPECT_EQ(game.ranks, 3);
  EXPECT_EQ(game.suits, 2);
  EXPECT_EQ(game.hole_cards, 1);
  ASSERT_EQ(game.num_rounds(), 2);
  EXPECT_EQ(game.rounds[0].board_cards, 0);
  EXPECT_EQ(game.rounds[1].board_cards, 1);
  EXPECT_EQ(game.rounds[1].raise_size, 4);
  EXPECT_EQ(game.rounds[1].max_raises, 2);
  EXPECT_EQ(game.rounds[0].first_player, 0);
  EXPECT_EQ(to_text(game.deck()), "AsAhKsKhQsQh");
}

TEST(DefinitionTest, CommentsOrderCaseAndDefaults) {
  const Definition game = parse_definition(
      "# no betting type: limit is the format's default... here it is given last\n\n"
      "  NUMBOARDCARDS 0   3  # with or without '='\r\n"
      "numholecards=2\nnumranks = 13\nnumsuits = 4\nblind = 100 50\nstack = 300 20000\n"
      "firstplayer = 2\n\t\nNumRounds = 2\nnumPlayers = 2\nNoLimit\nend gamedef\nwhat follows?",
      "x.game");
  EXPECT_FALSE(game.limit);
  EXPECT_EQ(game.stack, (std::array<Chips, 2>{300, 20000}));
  EXPECT_EQ(game.rounds[0].first_player, 1);
  EXPECT_EQ(game.rounds[1].first_player, 0);
  EXPECT_EQ(game.rounds[1].max_raises, 255);
  EXPECT_EQ(game.rounds[1].raise_size, 0);
  EXPECT_EQ(game.rounds[1].board_cards, 3);
  EXPECT_TRUE(parse_definition(replaced(kLeduc, "limit\n", ""), "x").limit);
}

TEST(DefinitionTest, ErrorsNameTheLine) {
  const auto error = [](const std::string& from, const std::string& to) {
    return error_of(replaced(kLeduc, from, to));
  };
  EXPECT_THAT(error("numRounds = 2", "numRounds = 5"), StartsWith("x.game:4: numRounds is 5"));
  EXPECT_THAT(error("numRounds = 2", "numRound = 2"), StartsWith("x.game:4: unknown word"));
  EXPECT_THAT(error("numRounds = 2", "numRounds = two"), StartsWith("x.game:4: 'two'"));
  EXPECT_THAT(error("numRounds = 2", "numRounds = 1"), HasSubstr("has 2 values"));
  EXPECT_THAT(error("numPlayers = 2", "numPlayers = 3"), StartsWith("x.game:3: numPlayers is 3"));
  EXPECT_THAT(error("blind = 1 1", "blind = 1"), StartsWith("x.game:5: blind has 1 value;"));
  EXPECT_THAT(error("blind = 1 1", "blind = 1 -1"), StartsWith("x.game:5: blind is -1"));
  EXPECT_THAT(error("blind = 1 1", ""), StartsWith("x.game:13: blind is missing"));
  EXPECT_THAT(error("blind = 1 1", "blind = 1 1\nstack = 5 0"), StartsWith("x.game:6: stack is 0"));
  EXPECT_THAT(error("blind = 1 1", "stack = 5 5\nblind = 1 6"), StartsWith("x.game:6: player 2's"));
  EXPECT_THAT(error("raiseSize = 2 4", "raiseSize = 2 0"), StartsWith("x.game:6: raiseSize is 0"));
  EXPECT_THAT(error("raiseSize = 2 4", ""), HasSubstr("raisesize is missing"));
  EXPECT_THAT(error("firstPlayer = 1 1", "firstPlayer = 1 3"), HasSubstr("allowed is 1 to 2"));
  EXPECT_THAT(error("maxRaises = 2 2", "maxRaises = 2 256"), HasSubstr("allowed is 0 to 255"));
  EXPECT_THAT(error("maxRaises = 2 2", "maxRaises = 2 2 2"), HasSubstr("allowed are 1 to 2"));
  EXPECT_THAT(error("numSuits = 2", "numSuits = 2\nNUMSUITS = 2"), HasSubstr("on line 9"));
  EXPECT_THAT(error("limit", "limit\nnolimit"), StartsWith("x.game:3: nolimit after limit"));
  EXPECT_THAT(error("limit", "limit 3"), StartsWith("x.game:2: 'limit' takes no values"));
  EXPECT_THAT(error("= 0 1", "= 0 5"), HasSubstr("7 cards are dealt from a deck of 6"));
  EXPECT_THAT(error("= 0 1", "= 3 4"), HasSubstr("at most 7 cards"));
  EXPECT_THAT(error("numHoleCards = 1", "numHoleCards = 4"), HasSubstr("allowed is 1 to 3"));
  EXPECT_THAT(error("blind = 1 1", "blind = 1 99999999999999999999"), HasSubstr("not a whole"));
  EXPECT_THAT(error("numRounds = 2", "num\x01Rounds = 2"), HasSubstr("'num?Rounds'"));
  EXPECT_THAT(error_of(""), StartsWith("x.game:1: "));
}

TEST(DefinitionTest, RandomDefinitionsSurviveWriting) {
  core::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Definition game;
    game.name = "x";
    game.limit = random.below(2) == 0;
    game.ranks = static_cast<int>(5 + random.below(9));
    game.suits = static_cast<int>(2 + random.below(3));
    game.hole_cards = static_cast<int>(1 + random.below(3));
    for (size_t p = 0; p < 2; ++p) {
      game.stack[p] = static_cast<Chips>(1 + random.below(INT32_MAX));
      game.blind[p] = static_cast<Chips>(random.below(static_cast<uint64_t>(game.stack[p]) + 1));
    }
    game.rounds.resize(1 + random.below(4));
    for (Definition::Round& round : game.rounds) {
      round.board_cards = static_cast<int>(random.below(2));
      round.first_player = static_cast<int>(random.below(2));
      round.max_raises = static_cast<int>(random.below(256));
      round.raise_size = game.limit ? static_cast<Chips>(1 + random.below(1000)) : 0;
    }
    const std::string text = to_text(game);
    const Definition again = parse_definition(text, "x.game");
    EXPECT_EQ(to_text(again), text);
    EXPECT_EQ(again.name, game.name);
    EXPECT_EQ(again.limit, game.limit);
    EXPECT_EQ(again.stack, game.stack);
    EXPECT_EQ(again.blind, game.blind);
    EXPECT_EQ(again.deck(), game.deck());
    EXPECT_EQ(again.hole_cards, game.hole_cards);
    ASSERT_EQ(again.rounds.size(), game.rounds.size());
    for (size_t r = 0; r < game.rounds.size(); ++r) {
      EXPECT_EQ(again.rounds[r].board_cards, game.rounds[r].board_cards);
      EXPECT_EQ(again.rounds[r].first_player, game.rounds[r].first_player);
      EXPECT_EQ(again.rounds[r].max_raises, game.rounds[r].max_raises);
      EXPECT_EQ(again.rounds[r].raise_size, game.rounds[r].raise_size);
    }
  }
}

TEST(DefinitionTest, TheExamplesAreRead) {
  const std::string folder = source_path("examples/games");
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".game") continue;
    EXPECT_EQ(read_definition(entry.path().string()).name, entry.path().stem().string());
    ++read;
  }
  EXPECT_EQ(read, 8);
}

}  // namespace
}  // namespace cleave::poker
