#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/game.h"
#include "solve/problem.h"

// Two-pass solving with a change of information abstraction: the whole game is solved with some
// information sets merged, its strategy carried over to the real game, and the subgames there
// solved with all sets told apart by any method of this room.
namespace cleave::histories {

// [infoset]: cell. Sets of one player with equal cells look alike; cells of different players have
// nothing to do with each other.
using InfosetMap = std::vector<uint32_t>;

InfosetMap identity_map(const tree::Tree& game);

// Burch et al., figure 5, for any deck of the game "leduc": after the board is dealt a player knows
// whether it pairs, lies above or lies below the own card, which is the strength of the hand
// against a uniformly random one, but not which rank it has. With three ranks: holding J, boards Q
// and K look alike; holding K, boards J and Q do. Suits, where cards are distinct, stay visible;
// they carry no information. Throws InputError for other games.
InfosetMap leduc_strength_map(const games::Game& game, const tree::Tree& tree);

// A CSV file `player,infoset,cell` with players 1 and 2, labels as `cleave export` and strategy
// files have them, and any text for a cell. Sets that are not listed stay themselves. Throws
// InputError `path:line: what`, also where sets of one cell have different actions.
InfosetMap read_infoset_map(const games::Game& game, const tree::Tree& tree,
                            const std::string& path);

struct AbstractGame {
  solve::Problem problem;
  std::vector<uint32_t> infoset;  // [infoset of the real game]: in the abstract one
};

// Throws InputError, naming a set, where a player would forget an own move or an earlier set: the
// abstract game must have perfect recall for the solvers here.
AbstractGame make_abstract_game(const games::Game& game, const tree::Tree& tree,
                                const InfosetMap& map);

// The strategy of the real game that plays at each set as the abstract one does at its cell.
tree::Strategy expand(const tree::Tree& game, const AbstractGame& abstract,
                      const tree::Strategy& strategy);

}  // namespace cleave::histories
