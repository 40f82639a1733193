#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "games/game.h"
#include "poker/betting.h"
#include "poker/definition.h"

namespace cleave::games {

// A whole game of poker, deals included, for the tree engine. No-limit games allow every bet that
// the rules allow, or the given sizes. Throws InputError where the betting alone is too large.
struct PokerParams {
  poker::Definition definition;
  std::optional<poker::Sizes> sizes = {};
  std::string name =
      {};  // what name() begins with, a path for make_game(); empty: the definition's
};
std::unique_ptr<Game> make_poker_game(const PokerParams& params);

// The path in a text that names a `.game` file: "leduc.game" or "small.game(sizes=50%:a)"; else
// empty.
std::string_view poker_file(std::string_view spec);
inline bool is_poker_spec(std::string_view spec) { return !poker_file(spec).empty(); }
PokerParams parse_poker_spec(std::string_view spec);

}  // namespace cleave::games
