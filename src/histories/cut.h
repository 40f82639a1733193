#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "tree/tree.h"

namespace cleave::histories {

// A game cut into a trunk and subgames. A subgame is closed under descendants and information
// sets, and its roots under both players' augmented information sets (Burch et al., definition 1,
// taken among the roots: taken literally it would pull in ancestors).
struct Cut {
  std::string name;
  std::vector<std::vector<uint32_t>> roots;  // [subgame]: histories, ascending
  std::vector<uint32_t> subgame;             // [history]: kNone in the trunk
  // Histories that had to leave the trunk because an information set below the cut holds them too.
  size_t num_pulled = 0;
};

// The smallest cut whose subgames contain all of `seeds` (any antichain or not).
Cut cut_below(const tree::Tree& tree, const std::vector<uint32_t>& seeds, std::string name);

// "round:R": where chance moves for the R-th time after a player has acted. "depth:D": after D
// moves, chance's counted. "history:a/b/c": the public state of the history reached by these
// action labels. Throws InputError saying what is allowed.
Cut make_cut(const games::Game& game, const tree::Tree& tree, std::string_view spec);

// The cuts "all" stands for: depth 1, 2, ... as long as somebody acts below; else the one cut.
std::vector<Cut> make_cuts(const games::Game& game, const tree::Tree& tree, std::string_view spec);

// One line on the pieces' sizes.
std::string describe(const tree::Tree& tree, const Cut& cut);
// Says so where one subgame is nearly the whole game, which then has little public structure; else
// empty.
std::string remark(const tree::Tree& tree, const Cut& cut);

}  // namespace cleave::histories
