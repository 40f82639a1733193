#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cleave::solve {

// What a solver that works in an abstraction of the game keeps, and how much of it. Cells are those
// of both players together, numbered through.
struct Abstraction {
  std::vector<uint32_t> cell;   // [infoset]: sets of one cell play alike
  size_t first_cells = 0;       // in the abstraction the run began with
  size_t cells = 0;             // now
  size_t most_cells = 0;        // at any time so far
  size_t largest_response = 0;  // information sets in the largest best response stored so far
  size_t strategy_bytes = 0;    // what is learnt: one or more numbers for each action of a cell
  size_t partition_bytes = 0;   // which set is in which cell
  size_t response_bytes = 0;    // the largest best response
};

}  // namespace cleave::solve
