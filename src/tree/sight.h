#pragma once

#include <string>
#include <vector>

#include "tree/lines.h"

// Who sees what in a game of which only the tree is known.
namespace cleave::tree {

// A move on the way to a decision, as the player who acts there knows it.
struct SeenStep {
  enum class By { kNobody, kMe, kAll };
  Actor actor = kChance;
  std::string label;
  By seen = By::kNobody;    // kMe: only chance's, where the other would not know it
  bool actor_known = true;  // whether it is known that there was such a move, and whose
};

// Made from the information set alone, by what its histories have in common: the player cannot see
// more.
std::vector<SeenStep> make_sight(const games::Game& game, const Tree& tree, const Members& members,
                                 uint32_t set);

// A move of a hand that is over.
struct ShownStep {
  Actor actor = kChance;
  std::string label;
  Actor holder = kChance;  // of chance's: the player it was dealt to; kChance: to the board
};
// Chance's moves are dealt out in the light of both players' last decisions.
std::vector<ShownStep> show_all(const games::Game& game, const Tree& tree, const Members& members,
                                uint32_t history);

// The last information set of a player on the way; kNone where the player never acted.
uint32_t last_set(const Tree& tree, uint32_t history, int player);

}  // namespace cleave::tree
