#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.h"
#include "games/game.h"

namespace cleave::games {

// One built-in game: what `cleave games` lists and how it is made.
struct GameInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  std::unique_ptr<Game> (*make)(core::Params& params);
};

const std::vector<GameInfo>& all_games();

// A built-in game by name ("leduc", "leduc(ranks=4,suits=3)") or an `.efg` or `.game` file by
// path; the latter may have parameters ("leduc.game", "small.game(sizes=50%:a)"). Throws
// InputError that lists what is allowed.
std::unique_ptr<Game> make_game(std::string_view spec);

}  // namespace cleave::games
