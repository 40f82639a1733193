#pragma once

#include "solve/solver.h"

namespace cleave::solve {

struct PureCfrParams {
  bool plus = false;  // cut regrets at zero
};

// Pure external CFR, as Jackson's "two four-byte integers for each action at each information set":
// external sampling in which the walking player's strategy is drawn to one action too, so that
// regrets and average are whole numbers.
std::unique_ptr<Solver> make_pure_cfr(const Problem& problem, const PureCfrParams& params,
                                      uint64_t seed);
SolverInfo pure_cfr_info();

// Payoffs as whole numbers, payoff * scale: exact where a scale up to 1000 makes them so and none
// exceeds 2^16; otherwise rounded to steps of the largest payoff / 2^16.
double whole_number_scale(const tree::Tree& tree);

}  // namespace cleave::solve
