#pragma once

#include "solve/solver.h"

namespace cleave::solve {

struct ExternalSamplingParams {
  bool plus = false;    // cut regrets at zero
  bool linear = false;  // iteration t weighs t in the average and, unless plus, in the regrets
};

// External-sampling MCCFR (Lanctot, Waugh, Zinkevich and Bowling 2009): one iteration walks once
// for each player, following all of the player's own actions and drawing everyone else's.
std::unique_ptr<Solver> make_external_sampling(const Problem& problem,
                                               const ExternalSamplingParams& params, uint64_t seed);
SolverInfo external_sampling_info();

}  // namespace cleave::solve
