#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hands/setup.h"
#include "kernels/hands.h"

namespace cleave::hands {

// One player's hands under one board: those of the root that the board leaves, padded to whole
// vectors. A row is a hand, or all hands that symmetries of the board make of each other: these
// have the same reach and the same values. Rows are in an order of the board's own, on the last
// street by strength.
struct Side {
  uint32_t count = 0;          // rows
  uint32_t width = 0;          // padded_hands(count); lane `count` is always zero
  std::vector<uint16_t> hand;  // [row]: of the root, the first of those that share it
  std::vector<uint16_t> row;   // [hand of the root]; `count` where blocked
  std::vector<uint16_t> size;  // [row]: hands that share it
  std::vector<uint16_t> from;  // [width]: in the order of the board before
  std::vector<uint16_t> back;  // [image][width before]: here; `count` where blocked
  std::array<std::vector<uint8_t>, 2> cards;  // [card][row]
  std::vector<uint16_t> same;                 // [row]: of the other player's hand of these cards
  std::vector<uint16_t> level;                // [row], last street: strengths, weakest 0
  // Every hand as the other player meets it, on the last street by strength.
  std::array<std::vector<uint8_t>, 2> met_cards;
  std::vector<uint16_t> met_row;
};

struct Board {
  poker::CardSet cards = 0;
  uint32_t parent = 0;
  uint32_t first_child = 0, num_children = 0;  // boards of the next street
  std::vector<poker::SuitMap> images;          // how it becomes the boards that it stands for
  std::vector<poker::SuitMap> keeping;         // symmetries that keep it: hands are merged by these
  std::array<Side, 2> side;
  std::array<std::vector<kernels::Meeting::Level>, 2> levels;  // [own player], last street

  kernels::Meeting meeting(size_t player) const;
};

// A betting node within its street.
struct Node {
  poker::BettingNode::Kind kind;
  uint8_t player = 0;
  uint16_t num_children = 0;
  uint32_t first_child = 0;                // in the street; a deal: the number of the exit
  std::array<uint32_t, 2> reach_row = {};  // [player]: within the chunk; where the player does not
                                           // choose, children share their parent's
  uint32_t decision = 0;     // a decision: its number among those of its player in the street
  uint32_t storage_row = 0;  // a decision: its first action among those of its player
  uint32_t source = 0;       // in the betting tree
};

// Up to kTile terminals of a chunk that are evaluated side by side.
struct Tile {
  enum class Kind : uint8_t { kFold, kShowdown, kAllIn };
  Kind kind;
  uint8_t count = 0;
  std::array<uint32_t, kernels::kTile> nodes = {};
};

// Lines of play that are worked on together: small enough for the cache, and nothing passes between
// chunks. Its first nodes are where its lines enter the street.
struct Chunk {
  uint32_t first_node = 0, num_nodes = 0;
  uint32_t first_line = 0, num_lines = 0;  // line: the exit of the street before
  uint32_t first_exit = 0, num_exits = 0;
  uint32_t first_chunk = 0, num_chunks = 0;  // of the next street, where its exits go on
  std::array<uint32_t, 2> num_reach_rows = {};
  uint32_t first_tile = 0, num_tiles = 0;
};

struct Street {
  double weight = 1;  // chance's reach of two hands and one board
  std::vector<Node> nodes;
  std::vector<uint32_t> exits;  // [exit]: its node
  std::vector<Chunk> chunks;
  std::vector<Tile> tiles;
  std::array<uint32_t, 2> num_decisions = {};
  std::array<uint32_t, 2> num_storage_rows = {};
  std::vector<Board> boards;
  bool last = false;    // nothing is dealt after it
  bool leaves = false;  // its exits are leaves
  bool all_in = false;  // has showdowns before the board is complete
};

// Everything about a stretch of poker but what is learnt in it.
struct Layout {
  Setup setup;
  std::vector<Street> streets;

  // Numbers to learn per player: actions times padded hands.
  std::array<uint64_t, 2> num_cells() const;
  std::array<uint64_t, 2> num_decisions() const;  // per player, of all boards
  uint64_t table_bytes() const;
};

// Boards with the number of their hands, but without tables; cheap enough to plan memory by.
Layout sketch_layout(const Setup& setup);
// Fills the tables in.
Layout make_layout(Layout sketch, int threads);

}  // namespace cleave::hands
