#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "tree/tree.h"

// Histories as a person follows them, and who sees what in a game of which only the tree is known.
namespace cleave::tree {

// The actions on the way.
std::vector<std::string> line_to(const games::Game& game, const Tree& tree, uint32_t history);
// Of both players at a terminal history, as the rules have them.
std::array<double, 2> payoffs_at(const games::Game& game, const Tree& tree, uint32_t history);

// The histories of every information set, ascending.
class Members {
 public:
  Members() = default;
  explicit Members(const Tree& tree);
  std::span<const uint32_t> operator[](uint32_t set) const {
    return std::span(member_).subspan(begin_[set], begin_[set + 1] - begin_[set]);
  }

 private:
  std::vector<uint32_t> begin_;  // [infoset + 1]
  std::vector<uint32_t> member_;
};

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
