#pragma once

#include "solve/solver.h"

namespace cleave::solve {

struct ChanceSamplingParams {
  bool plus = false;    // cut regrets at zero
  bool linear = false;  // iteration t weighs t in the average and, unless plus, in the regrets
};

// Chance-sampling CFR (Zinkevich, Johanson, Bowling and Piccione 2007): an iteration draws chance's
// actions, follows all of both players' and updates both at once.
std::unique_ptr<Solver> make_chance_sampling(const Problem& problem,
                                             const ChanceSamplingParams& params, uint64_t seed);
SolverInfo chance_sampling_info();

}  // namespace cleave::solve
