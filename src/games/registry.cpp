#include "games/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/params.h"
#include "games/efg.h"
#include "games/games.h"
#include "games/poker_game.h"

namespace cleave::games {
namespace {

[[noreturn]] void refuse_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GameInfo& info : all_games()) names.push_back(info.name);
  const auto nearest = std::ranges::min_element(
      names, {}, [&](std::string_view known) { return core::edit_distance(name, known); });
  core::reject(
      "no game is called '{}' (did you mean '{}'?); allowed are {}, or the path of an .efg or "
      ".game file",
      name, *nearest, fmt::join(names, ", "));
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
  if (is_poker_spec(spec)) return make_poker_game(parse_poker_spec(spec));
  if (spec.ends_with(".toml")) {
    core::reject(
        "'{}': a spot is no game for the tree engine; .toml files are for the hold'em engine; "
        "allowed here are built-in games, .game and .efg files",
        spec);
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
