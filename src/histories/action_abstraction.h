#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "solve/problem.h"
#include "tree/derive.h"

namespace cleave::histories {

// A game with fewer moves: which of its own it keeps. Chance keeps all of its moves, and every
// information set at least one.
struct ActionAbstraction {
  std::string name;
  std::vector<bool> kept_slot;  // [slot of the game]
  std::vector<bool> kept;       // [history of the game]: the move into it
};

// Throws InputError where an information set would be left without a move.
ActionAbstraction keep_slots(const tree::Tree& game, std::vector<bool> kept_slot, std::string name);

// Drops the moves of both players that have one of these labels: "bet3,raise3". Throws InputError,
// listing the labels there are, for one that no player's move has.
ActionAbstraction drop_actions(const games::Game& game, const tree::Tree& tree,
                               std::string_view labels);

// The abstraction as a game, for any solver.
struct SmallGame {
  solve::Problem problem;
  std::vector<uint32_t> source;       // [history]: in the large game
  std::vector<uint32_t> source_slot;  // [slot]: in the large game
};
// `player`: only this one is confined to the abstraction. The equilibrium is then the best that a
// player can do who never makes a dropped move, however it answers those of the other.
SmallGame make_small_game(const tree::Tree& game, const ActionAbstraction& abstraction,
                          std::optional<size_t> player = {});

// A strategy of the small game in the large one: dropped moves have probability zero. Information
// sets that the small game does not have are uniform over what the abstraction keeps; translation
// or nested solving is to fill them in.
tree::Strategy expand_strategy(const tree::Tree& game, const ActionAbstraction& abstraction,
                               const SmallGame& small, const tree::Strategy& strategy);

}  // namespace cleave::histories
