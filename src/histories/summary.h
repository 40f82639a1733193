#pragma once

#include <string>
#include <vector>

#include "decompose/summary.h"
#include "histories/cut_game.h"

namespace cleave::histories {

using decompose::summarise;

// Of every subgame, from a strategy of the whole game.
std::vector<decompose::Summary> summarise(const CutGame& game, const tree::Strategy& strategy);

// The reach of the private states at a border under a strategy of the game.
decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy);

// Of the subgames of a cut game, in a file.
inline void write_summaries(const CutGame& game, const std::vector<decompose::Summary>& summaries,
                            const std::string& path) {
  decompose::KeptSummaries(game.trunk, summaries).write(path);
}
inline std::vector<decompose::Summary> read_summaries(const CutGame& game,
                                                      const std::string& path) {
  return decompose::KeptSummaries(path).below(game.trunk);
}

}  // namespace cleave::histories
