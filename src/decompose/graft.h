#pragma once

#include <array>

#include "decompose/resolve.h"

namespace cleave::decompose {

// Strategy grafting (Waugh, Bard and Bowling 2009; Jackson's second pass): the hero keeps the
// profile's strategy in the trunk and learns below it, the opponent learns everywhere. It takes the
// memory of the whole game; no way to play below this trunk does much better. [player]: what its
// best response gets in chips against the other's graft, the shift not counted. Of the options it
// takes algorithm, iterations, threads and stop. `into`: gets every hero's answer; null: nobody
// asks. Throws RunError when stopped.
std::array<double, 2> graft(const Piece& trunk, const Profile& profile, const Vectors& root_reach,
                            const ResolveOptions& options, Recombined* into = nullptr);

}  // namespace cleave::decompose
