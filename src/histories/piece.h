#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "decompose/piece.h"
#include "histories/cut.h"
#include "histories/off_tree.h"
#include "solve/problem.h"
#include "tree/derive.h"

namespace cleave::histories {

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
// `set_sizes`: how many histories of each set can happen; none: all of them.
Border make_border(const tree::Tree& game, std::vector<uint32_t> histories,
                   const std::vector<uint32_t>* set_sizes = nullptr);

// The tree engine's stretch of game: from the roots of one border down to the histories of others.
// Both players have one entry set, with an action per private state at the root: its sequences'
// reach is what arrives from above, its values are what is handed back. `game` must outlive it.
struct TreePiece : decompose::Piece {
  const tree::Tree* game = nullptr;  // what it is a piece of
  Border root;
  std::vector<Border> leaves;
  std::vector<double> chance;  // [root history]: chance's reach of it, from the game's root
  solve::Problem problem;
  std::vector<uint32_t> source;       // [history]: in the game; kNone: new
  std::vector<uint32_t> source_slot;  // [slot]: in the game; kNone: entry
  // [leaf][player][state]: sequence in the piece whose reach is the state's.
  std::vector<std::array<std::vector<uint32_t>, 2>> leaf_sequence;
  // [leaf]: what follows there, to the end of the game, where the game was cut for good.
  std::vector<std::shared_ptr<const TreePiece>> subgames;
  // (of the game, here), ascending: information sets and decisions, roots of leaves and leaves.
  std::vector<std::pair<uint32_t, uint32_t>> decision_numbers, leaf_numbers;
  std::vector<bool> kept;  // [slot of the game]: moves that the piece has; empty: all
  // A piece of a game that is cut at moves outside an abstraction: the one of its subgames that
  // this stretch begins (kNone: the game itself). Null: it is not.
  std::shared_ptr<const OffTree> off_tree;
  uint32_t off_subgame = tree::kNone;

  void number_places();  // fills in the numbers above

  // Whether it has the move into a history of the game; chance has all of its own.
  bool has_move(uint32_t child) const {
    return kept.empty() || game->actor[game->parent[child]] >= 2 || kept[game->slot_into(child)];
  }

  // Where a player of the piece decides: information sets, but for the entry sets.
  size_t num_decisions() const;
  uint32_t infoset(size_t decision) const;  // of the piece
  size_t decision_of(uint32_t infoset) const;
  // Where the game's information sets and histories stand in the piece; none: elsewhere.
  std::optional<size_t> decision_at(uint32_t game_infoset) const;
  std::optional<size_t> leaf_at(uint32_t game_history) const;

  std::string key() const override;
  std::unique_ptr<decompose::Engine> engine(int threads = 1) const override;
  size_t num_leaves() const override { return leaves.size(); }
  size_t num_below(size_t) const override { return 1; }
  decompose::Below below(size_t leaf, size_t number) const override;
  std::vector<decompose::Trail> way(size_t leaf, size_t player) const override;
  size_t place_of(size_t decision) const override;
  std::shared_ptr<const decompose::Profile> profile(
      std::shared_ptr<decompose::Engine> engine) const override;
  bool is_outside(size_t leaf) const override { return off_tree && leaf < leaves.size(); }
  std::shared_ptr<const decompose::Piece> model() const override;
  decompose::Around around(size_t leaf) const override;
  std::shared_ptr<const decompose::Piece> whole() const override;
  std::vector<size_t> trunk_decisions() const override;
  void solve_exactly(const decompose::EntryForm& form, size_t hero,
                     std::span<const double> hero_reach, decompose::Engine& engine) const override;

  // The sequences that lead to the private states of a border inside the piece: [player][state].
  std::array<std::vector<uint32_t>, 2> sequences_to(const Border& border) const;
  std::vector<decompose::Trail> trails_to(const std::vector<uint32_t>& sequences,
                                          size_t player) const;
};

// `leaves`: disjoint sets of histories below `roots`; nothing under them belongs to the piece.
// `kept`: moves that it has, [slot of the game]; empty: all.
TreePiece make_piece(const tree::Tree& game, std::vector<uint32_t> roots,
                     const std::vector<std::vector<uint32_t>>& leaves = {},
                     std::vector<bool> kept = {}, const std::vector<uint32_t>* set_sizes = nullptr);
// A stretch of a game that is cut at the moves outside an abstraction.
TreePiece make_nested_piece(const tree::Tree& game, std::shared_ptr<const OffTree> off_tree,
                            uint32_t subgame = tree::kNone);
// The same piece again from its key, where the game is there too. Throws InputError.
TreePiece remake_piece(const tree::Tree& game, std::string_view key);
TreePiece make_trunk(const tree::Tree& game, const Cut& cut);  // with its subgames
TreePiece make_subgame(const tree::Tree& game, const Cut& cut, size_t subgame);

// The chance player's reach of every history of a game.
std::vector<double> chance_reach(const tree::Tree& game);

}  // namespace cleave::histories
