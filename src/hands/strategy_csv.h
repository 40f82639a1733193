#pragma once

#include <string>

#include "hands/spot_solver.h"

namespace cleave::hands {

// The average strategy as text: the columns player,infoset,action,probability of tree strategies
// (tree/strategy_file.h). An information set is "LINE|HAND": the line as find_address reads it,
// with the cards dealt in it, and the hand; "bet 100/call/Qc/check|AhKh", at the root "|AhKh". Of
// boards that suit symmetry merges only the one that is solved is written.
void write_strategy_csv(SpotSolver& solver, const std::string& path);

inline constexpr double kMostCsvRows = 5'000'000;  // Counts::rows beyond which .h5 is the choice

}  // namespace cleave::hands
