#pragma once

#include <array>
#include <memory>

#include "decompose/resolve.h"

namespace cleave::decompose {

// A profile with everything below a cut played by a pass.
struct SecondPass {
  std::shared_ptr<const Piece> trunk;  // with leaves
  std::shared_ptr<const Profile> profile;
  Vectors root_reach;
  // Of the pieces below, instead of what the profile says there; empty: measured.
  std::vector<Summary> summaries = {};
  ResolveOptions solving = {};
};

struct SecondPassResult {
  // [player]: what a best response gets against the other in chips, the shift not counted.
  std::array<double, 2> best_response = {};
  size_t num_solved = 0;  // subgames and heroes
};

// `into`: gets every answer, begun with the profile; null: nobody asks. Throws InputError where the
// pass cannot do what the options ask for, RunError when stopped.
SecondPassResult apply(const Pass& pass, const SecondPass& work, Recombined* into);

// What is kept of every piece below a trunk: the profile's values there.
std::vector<Summary> summarise(const Piece& trunk, const Profile& profile,
                               const Vectors& root_reach, int threads);

// Strategy grafting (Waugh, Bard and Bowling 2009; Jackson's second pass): the hero keeps the
// profile's strategy in the trunk and learns below it, the opponent learns everywhere. It takes the
// memory of the whole game; no way to play below this trunk does much better. [player]: what its
// best response gets in chips against the other's graft, the shift not counted. Of the options it
// takes algorithm, iterations, threads and stop. `into`: gets every hero's answer; null: nobody
// asks. Throws RunError when stopped.
std::array<double, 2> graft(const Piece& trunk, const Profile& profile, const Vectors& root_reach,
                            const ResolveOptions& options, Recombined* into = nullptr);

}  // namespace cleave::decompose
