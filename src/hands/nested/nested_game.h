#pragma once

#include <memory>
#include <optional>

#include "hands/game_file.h"
#include "hands/nested/nested_tree.h"
#include "hands/terminals.h"
#include "hands/vector_engine.h"

namespace cleave::hands {

// A large abstraction of a game of two streets, laid out, and how a smaller one stands in it.
// Everything below is numbered by it: nodes of the betting tree, boards and rows. Whoever keeps to
// the small one makes the other moves with probability zero.
class NestedGame {
 public:
  // Throws InputError for games of another kind.
  NestedGame(const hands::Setup& small, const hands::Setup& large, int threads);

  hands::Layout layout;
  BetMap bets;
  hands::Terminals<double> terminals;
  std::vector<uint32_t> place;           // [node of the tree]: within its street
  std::vector<uint32_t> parent;          // [node of the last street]: there; entries: themselves
  std::vector<uint32_t> line;            // [node of the last street]
  std::vector<uint32_t> entry;           // [line]: node of the last street
  std::vector<std::vector<bool>> known;  // [0]: moves of the last street in the small abstraction
                                         // (or what is not a move); [1]: all

  const poker::BettingTree& tree() const { return layout.setup.tree; }
  const hands::Street& first() const { return layout.streets[0]; }
  const hands::Street& last() const { return layout.streets[1]; }
  size_t num_lines() const { return first().exits.size(); }
  size_t num_first_nodes() const { return first().nodes.size(); }
  size_t width() const { return first().boards[0].side[0].width; }  // of the first street's rows
  const hands::Node& node(uint32_t n) const { return last().nodes[n]; }
  uint32_t source(uint32_t n) const { return last().nodes[n].source; }
};

// What is played on the first street, and on the last street behind it, as far as one solution has
// it; [node of the betting tree] of the first street.
struct Trunk {
  std::vector<std::vector<float>> into;  // [row]: probability of the move into the node
  std::array<std::vector<std::vector<double>>, 2> reach;  // [player], [hand]: own reach
  std::array<std::vector<std::vector<double>>, 2> best;   // [player], [hand]: CBV, Burch's units
  std::vector<uint32_t> kept;                             // moves of the last street that it has
  std::vector<std::vector<float>> rows;                   // [board]: [kept move][width]
};
// Takes a trunk from an engine that has solved a copy of the tree from its first street on. Only
// what lies below `from` (a node of the tree).
Trunk read_trunk(const NestedGame& game, hands::VectorEngine& engine, const TreeCopy& copy,
                 const decompose::Vectors& root_reach, uint32_t from, int threads);

// The opponent's way through the first street: one of its decisions, [hand], Burch's units.
struct Passed {
  std::vector<double> rho;    // chance's and the hero's reach
  std::vector<double> other;  // CBV of the best move not taken
  std::vector<double> taken;  // CBV of the move taken
  // CBV of the decision as those before it were measured: without the move, if it is a new one.
  std::vector<double> base;
  double guaranteed = 0;  // chips that no strategy of the hero can take away
};

// The last street under one board: what both players do, and what it is worth.
class StreetPlay {
 public:
  StreetPlay(const NestedGame& game, size_t board);

  size_t width() const { return width_; }
  const hands::Board& board() const { return *board_; }
  // [row]: probability of the move into a node of the street.
  double* into(uint32_t node) { return into_.data() + node * width_; }
  void load(const Trunk& trunk);
  void set_entry_reach(size_t player, size_t line, const std::vector<double>& by_hand);
  // A player's own reach of a node, [row].
  std::vector<double> reach(size_t player, uint32_t node) const;

  // Counterfactual values of all nodes of a chunk.
  struct Values {
    uint32_t first_node = 0;
    size_t width = 0;
    core::AlignedVector<double> rows;
    const double* at(uint32_t node) const { return rows.data() + (node - first_node) * width; }
  };
  // What the player can get by the moves known against the other's play, around a line.
  void best_response(size_t player, size_t line, const std::vector<bool>& known, Values& out);

 private:
  const hands::Chunk& chunk_of(size_t line) const;

  const NestedGame& game_;
  size_t number_;
  const hands::Board* board_;
  size_t width_;
  core::AlignedVector<double> into_;                        // [node][row]
  std::array<core::AlignedVector<double>, 2> entry_reach_;  // [line][row]
  core::AlignedVector<double> reach_;
  hands::Terminals<double>::Scratch scratch_;
};

}  // namespace cleave::hands
