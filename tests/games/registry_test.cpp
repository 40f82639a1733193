#include "games/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "games/walk.h"

namespace cleave::games {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(std::string_view spec) {
  try {
    make_game(spec);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RegistryTest, EveryGameIsMadeByItsNameAndKeepsTheStateSmall) {
  EXPECT_EQ(all_games().size(), 8U);
  for (const GameInfo& info : all_games()) {
    const auto game = make_game(info.name);
    EXPECT_EQ(game->name(), info.name);
    EXPECT_LE(game->state_bytes(), 64U) << info.name;
    EXPECT_FALSE(info.summary.empty());
  }
}

// What `cleave games` prints as default is the default: saying it changes nothing.
TEST(RegistryTest, PrintedDefaultsAreTheDefaults) {
  for (const GameInfo& info : all_games()) {
    for (const core::ParamInfo& param : info.params) {
      if (info.name == "leduc" && param.name == "raises") continue;  // "bets" is a description
      const std::string spec = info.name + "(" + param.name + "=" + param.default_value + ")";
      EXPECT_EQ(make_game(spec)->name(), info.name) << spec;
      EXPECT_FALSE(param.help.empty()) << spec;
    }
  }
}

TEST(RegistryTest, NamesReadBackToTheSameGame) {
  for (const char* spec :
       {"kuhn(cards=5)", "leduc(ranks=4,suits=3)",
        "leduc(ranks=4,suits=3,distinct=false,bets=1:2,max_raises=2)",
        "leduc(ante=2,bets=1:2/3,raises=4/5:6)", "leduc(bets=4)", "leduc(raises=1)",
        "coin_toss(sell_heads=-1/3)", "rps(weights=2:1:2)", "nim(piles=3:3)",
        "goofspiel(cards=3,prizes=random,reveal=true,payoff=points)", "liars_dice(dice=2,faces=3)",
        "random(depth=4,branching=2,observations=3,seed=9,vary=true,chance=0.3,stop=0.125)"}) {
    const auto game = make_game(spec);
    EXPECT_EQ(game->name(), spec);
    const auto again = make_game(game->name());
    const WalkResult first = walk(*game);
    const WalkResult second = walk(*again);
    EXPECT_TRUE(first.errors.empty()) << spec << "\n" << describe(first);
    EXPECT_EQ(first.histories, second.histories);
    EXPECT_EQ(first.infosets, second.infosets);
  }
}

TEST(RegistryTest, NamesAreCanonical) {
  EXPECT_EQ(make_game(" leduc ( suits = 2, ranks=4 ) ")->name(), "leduc(ranks=4)");
  EXPECT_EQ(make_game("leduc(bets=3/3,raises=3)")->name(), "leduc(bets=3)");
  EXPECT_EQ(make_game("coin_toss(sell_heads=0.25)")->name(), "coin_toss(sell_heads=1/4)");
  EXPECT_EQ(make_game("kuhn()")->name(), "kuhn");
}

TEST(RegistryTest, UnknownNamesGetTheListAndTheNearest) {
  const std::string message = error_of("ledcu(ranks=4)");
  EXPECT_THAT(message, AllOf(HasSubstr("'ledcu'"), HasSubstr("did you mean 'leduc'")));
  for (const GameInfo& info : all_games()) EXPECT_THAT(message, HasSubstr(info.name));
  EXPECT_THAT(error_of("goofspeil"), HasSubstr("did you mean 'goofspiel'"));
  EXPECT_THAT(error_of("tic_tac_toe"), HasSubstr("no game is called"));
}

TEST(RegistryTest, BadParametersSayWhatIsAllowed) {
  EXPECT_THAT(error_of("kuhn(card=3)"),
              AllOf(HasSubstr("no parameter 'card'"), HasSubstr("cards")));
  EXPECT_THAT(error_of("kuhn(cards=99)"), HasSubstr("from 2 to 60"));
  EXPECT_THAT(error_of("kuhn(cards=3,cards=4)"), HasSubstr("given twice"));
  EXPECT_THAT(error_of("leduc(ranks=2,suits=1)"), HasSubstr("allowed are 3 or more"));
  EXPECT_THAT(error_of("leduc(bets=4:2)"), HasSubstr("increasing"));
  EXPECT_THAT(error_of("goofspiel(prizes=up)"), HasSubstr("descending, ascending, random"));
  EXPECT_THAT(error_of("liars_dice(dice=8,faces=6)"), HasSubstr("2 * dice * faces up to 64"));
  EXPECT_THAT(error_of("nim(piles=15:15:15)"), HasSubstr("at most 40 objects"));
  EXPECT_THAT(error_of("rps(weights=1:0:1)"), HasSubstr("weights"));
  EXPECT_THAT(error_of("rps(weights=1:1)"), HasSubstr("rock:paper:scissors"));
  EXPECT_THAT(error_of("random(chance=1.5)"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(error_of("kuhn(cards=3"), HasSubstr("expected ')'"));
  EXPECT_THAT(error_of(""), HasSubstr("expected a name"));
}

TEST(RegistryTest, SpotsAreForTheHoldemEngine) {
  EXPECT_THAT(error_of("spots/river.toml"), HasSubstr("hold'em engine"));
}

TEST(RegistryTest, AGamePathGoesToTheReader) {
  for (const char* path : {"/nowhere/a (copy),b.game", "/nowhere/a (copy),b.game(sizes=a)"}) {
    EXPECT_THAT(error_of(path), HasSubstr("/nowhere/a (copy),b.game: "));
  }
}

TEST(RegistryTest, AnEfgPathGoesToTheReader) {
  const std::string path = "/nowhere/a (copy),b.efg";
  EXPECT_THAT(error_of(path), HasSubstr(path));
}

}  // namespace
}  // namespace cleave::games
