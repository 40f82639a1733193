#include "games/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "games/coin_toss.h"
#include "games/efg.h"
#include "games/goofspiel.h"
#include "games/kuhn.h"
#include "games/leduc.h"
#include "games/liars_dice.h"
#include "games/nim.h"
#include "games/random_game.h"
#include "games/rps.h"

namespace cleave::games {
namespace {

// Levenshtein's distance: insertions, deletions and changes of one character.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, change});
    }
  }
  return row.back();
}

[[noreturn]] void refuse_unknown(std::string_view name) {
  std::string names;
  const GameInfo* nearest = nullptr;
  size_t least = 0;
  for (const GameInfo& info : all_games()) {
    names += (names.empty() ? "" : ", ") + info.name;
    const size_t distance = edit_distance(name, info.name);
    if (!nearest || distance < least) {
      nearest = &info;
      least = distance;
    }
  }
  throw core::InputError(fmt::format(
      "no game is called '{}' (did you mean '{}'?); allowed are {}, or the path of an .efg file",
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
  if (spec.ends_with(".game") || spec.ends_with(".toml")) {
    throw core::InputError(
        fmt::format("'{}': .game and .toml files come with the hold'em engine, which this version "
                    "does not have "
                    "yet; allowed are built-in games and .efg files",
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
