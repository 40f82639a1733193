#pragma once

#include <string>
#include <vector>

#include "decompose/summary.h"
#include "door/game.h"

namespace cleave::door {

// What is kept of the pieces below a cut, as an archive (tree/archive.h) bound to game and cut.
void write_summaries(const AnyGame& game, const std::string& cut,
                     const std::vector<decompose::Summary>& summaries, const std::string& path);
// Throws InputError if it is another's.
std::vector<decompose::Summary> read_summaries(const AnyGame& game, const std::string& cut,
                                               const std::string& path);

}  // namespace cleave::door
