// One random playthrough of each game as text, compared with tests/games/golden/. A change of
// rules, labels or probabilities shows as a difference there. Set CLEAVE_UPDATE_GOLDEN=1 to write
// the files anew, and read the difference before committing it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/random.h"
#include "games/registry.h"
#include "games/walk.h"
#include "source_path.h"

namespace cleave::games {
namespace {

struct Golden {
  const char* file;
  const char* spec;
};

std::string playthrough(const Game& game, uint64_t seed) {
  core::Random random(seed);
  std::string text = fmt::format("game: {}\n", game.name());
  std::string history;
  std::vector<std::byte> state = state_after(game, {});
  while (true) {
    const Turn turn = game.turn(state.data());
    text += fmt::format("\nhistory: {}\n", history.empty() ? "-" : history);
    if (turn.actor == kTerminal) break;
    if (turn.actor == kChance) {
      text += "actor: chance\n";
    } else {
      text += fmt::format("actor: player {}\ninfoset: {}\n", turn.actor + 1,
                          game.infoset_label(state.data()));
    }
    for (int a = 0; a < turn.num_actions; ++a) {
      text += fmt::format("  {}: {}", a, game.action_label(state.data(), a));
      if (turn.actor == kChance) {
        text += " with probability " + game.chance_probability(state.data(), a).to_string();
      }
      text += '\n';
    }
    const int action = static_cast<int>(random.below(static_cast<uint64_t>(turn.num_actions)));
    const std::string label = game.action_label(state.data(), action);
    text += fmt::format("chosen: {}\n", label);
    history += (history.empty() ? "" : " ") + label;
    std::vector<std::byte> next(state.size());
    game.child(state.data(), action, next.data());
    state = next;
  }
  text += fmt::format("actor: none\npayoffs: {} {}\n", game.payoff(state.data(), 0).to_string(),
                      game.payoff(state.data(), 1).to_string());
  return text;
}

class PlaythroughTest : public testing::TestWithParam<Golden> {};

TEST_P(PlaythroughTest, MatchesTheGoldenFile) {
  const auto game = make_game(GetParam().spec);
  std::string text;
  for (const uint64_t seed : {1, 2, 3}) text += (seed > 1 ? "\n" : "") + playthrough(*game, seed);
  const std::string path = source_path("tests/games/golden/") + GetParam().file + ".txt";
  const char* update = std::getenv("CLEAVE_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing";
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

INSTANTIATE_TEST_SUITE_P(
    Games, PlaythroughTest,
    testing::Values(Golden{"kuhn", "kuhn"}, Golden{"leduc", "leduc"},
                    Golden{"leduc_sizes",
                           "leduc(ranks=4,suits=3,distinct=false,bets=1:2/2:4,"
                           "raises=1:3,max_raises=2)"},
                    Golden{"coin_toss", "coin_toss"}, Golden{"rps", "rps(weights=2:1:2)"},
                    Golden{"nim", "nim"}, Golden{"goofspiel", "goofspiel"},
                    Golden{"goofspiel_random",
                           "goofspiel(prizes=random,reveal=true,payoff=points)"},
                    Golden{"liars_dice", "liars_dice"},
                    Golden{"liars_dice_two", "liars_dice(dice=2,faces=3)"},
                    Golden{"random", "random"},
                    Golden{"random_varied",
                           "random(depth=7,observations=3,vary=true,chance=0.3,"
                           "stop=0.1)"}),
    [](const testing::TestParamInfo<Golden>& test) { return std::string(test.param.file); });

}  // namespace
}  // namespace cleave::games
