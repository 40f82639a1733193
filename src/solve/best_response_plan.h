#pragma once

#include <span>

#include "tree/sequence_form.h"

namespace cleave::solve {

// The plan of the pure best response that q (see best_response_values) describes: 0 or 1 for every
// sequence, ties by first_best().
void best_response_plan(const tree::Treeplex& plex, std::span<const double> q,
                        std::span<double> plan);

}  // namespace cleave::solve
