#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "decompose/cut.h"
#include "decompose/engine.h"
#include "solve/problem.h"
#include "tree/derive.h"

namespace cleave::decompose {

// A player's private state at a public state: its information set where it acts (unless that set
// holds histories elsewhere too), else its last own slot (kNone before the first).
struct PrivateState {
  bool acts = false;
  uint32_t id = tree::kNone;
  friend bool operator==(const PrivateState&, const PrivateState&) = default;
  friend bool operator<(const PrivateState& a, const PrivateState& b) {
    return std::tie(a.acts, a.id) < std::tie(b.acts, b.id);
  }
};

// Histories at one place of a cut with both players' private states there, numbered.
struct Border {
  std::vector<uint32_t> histories;
  std::array<std::vector<PrivateState>, 2> states;  // [player][state], ascending
  std::array<std::vector<uint32_t>, 2> state_of;    // [player][i of histories]: number of state
};
Border make_border(const tree::Tree& game, std::vector<uint32_t> histories);

// The tree engine's stretch of game: from the roots of one border down to the histories of others.
// Both players have one entry set, with an action per private state at the root: its sequences'
// reach is what arrives from above, its values are what is handed back.
struct Piece {
  Border root;
  std::vector<Border> leaves;
  std::vector<double> chance;  // [root history]: chance's reach of it, from the game's root
  solve::Problem problem;
  std::vector<uint32_t> source_slot;  // [slot]: in the game; kNone: entry
  // [leaf][player][state]: sequence in the piece whose reach is the state's.
  std::vector<std::array<std::vector<uint32_t>, 2>> leaf_sequence;
};

// `leaves`: disjoint sets of histories below `roots`; nothing under them belongs to the piece.
Piece make_piece(const tree::Tree& game, std::vector<uint32_t> roots,
                 const std::vector<std::vector<uint32_t>>& leaves = {});
Piece make_trunk(const tree::Tree& game, const Cut& cut);
Piece make_subgame(const tree::Tree& game, const Cut& cut, size_t subgame);

// The chance player's reach of every history of a game.
std::vector<double> chance_reach(const tree::Tree& game);

}  // namespace cleave::decompose
