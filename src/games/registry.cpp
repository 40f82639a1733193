#include "games/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/params.h"
#include "games/efg.h"
#include "games/games.h"
#include "games/poker_game.h"

namespace cleave::games {
namespace {

[[noreturn]] void refuse_unknown(std::string_view name) {
  std::string names;
  const GameInfo* nearest = nullptr;
  size_t least = 0;
  for (const GameInfo& info : all_games()) {
    names += (names.empty() ? "" : ", ") + info.name;
    const size_t distance = core::edit_distance(name, info.name);
    if (!nearest || distance < least) {
      nearest = &info;
      least = distance;
    }
  }
  throw core::InputError(fmt::format(
      "no game is called '{}' (did you mean '{}'?); allowed are {}, or the path of an .efg "
      "or .game file",
      name, nearest->name, names));
}

}  // namespace

const std::vector<GameInfo>& all_games() {
  static const std::vector<GameInfo> games = {
      kuhn_info(),      leduc_info(), liars_dice_info(), goofspiel_info(),
      coin_toss_info(), rps_info(),   nim_info(),        random_game_info(),
  };
  return games;
}

std::unique_ptr<Game> make_game(std::string_view spec) {
  // A path may hold any character, so it is looked at before the text is read as a call.
  if (spec.ends_with(".efg")) return read_efg_file(std::string(spec));
  if (is_poker_spec(spec)) return make_poker_game(spec);
  if (spec.ends_with(".toml")) {
    throw core::InputError(
        fmt::format("'{}': a spot is no game for the tree engine; .toml files are for the hold'em "
                    "engine; allowed here are built-in games, .game and .efg files",
                    spec));
  }
  core::Call call = core::parse_call(spec);
  for (const GameInfo& info : all_games()) {
    if (info.name != call.name) continue;
    core::Params params("game '" + info.name + "'", std::move(call.arguments));
    std::unique_ptr<Game> game = info.make(params);
    params.finish(info.params);
    return game;
  }
  refuse_unknown(call.name);
}

}  // namespace cleave::games
