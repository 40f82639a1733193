#pragma once

#include <array>
#include <string>
#include <vector>

#include "hands/layout.h"
#include "hands/spot_solver.h"
#include "hands/vector_engine.h"

namespace cleave::hands {

// How large a stretch of poker is, before it is allocated. Counts are real numbers because those of
// full hold'em exceed 64 bits with a few bet sizes; below 2^53 they are exact.
struct StreetCounts {
  double boards = 0;  // that are solved; suits that play the same are merged
  double dealt = 0;   // that these stand for
  uint64_t decisions = 0, folds = 0, showdowns = 0, deals = 0;  // of the betting, under each board
  uint64_t nodes() const { return decisions + folds + showdowns + deals; }
};

struct Counts {
  bool exact = true;  // false: lower bounds, where listing the boards alone would take too long
  std::vector<StreetCounts> streets;
  std::array<double, 2> infosets = {};  // [player]: (decision, board, hand)
  double rows = 0;                      // actions in them
  double public_states = 0;             // (node, board)
  double histories = 0;  // (node, board, hand, hand of the other), no card twice; without the deal
  double terminal_histories = 0;
  double cells = 0;  // numbers to learn: rows, with hands padded to whole vectors
};

Counts count(const Layout& sketch);
// Without a layout, for all hands of a game from its beginning.
Counts estimate(const Setup& setup);
// Whether sketch_layout takes no more than moments.
bool can_sketch(const Counts& estimate);

// The memory plan of an algorithm: one that predicts keeps a third array. Throws InputError for
// what the engine cannot run.
MemoryPlan plan_memory(const Layout& sketch, Storage storage, int threads,
                       const std::string& algorithm);
double least_bytes(const Counts& counts, Storage storage);

// Histories of the same game in the tree engine, where every deal is one.
double tree_histories(const poker::Definition& definition, const poker::BettingTree& tree);

inline constexpr std::array kStorages = {Storage::kF32, Storage::kI16, Storage::kF64};

// All that is known of a problem before it is solved.
struct ProblemSize {
  Counts counts;
  uint64_t available = 0;             // bytes that are free
  std::array<double, 3> needed = {};  // [storage]; lower bounds unless the counts are exact
  double bytes(Storage storage) const { return needed[static_cast<size_t>(storage)]; }
};
ProblemSize measure(const Problem& problem, const SolverOptions& options);

// The same; throws InputError with the numbers and what to do where the machine has not that much.
ProblemSize plan_solve(const Problem& problem, const SolverOptions& options);

}  // namespace cleave::hands
