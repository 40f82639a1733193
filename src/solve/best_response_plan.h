#pragma once

#include <span>

#include "core/params.h"
#include "solve/evaluate.h"
#include "tree/sequence_form.h"

namespace cleave::solve {

// The plan of the pure best response that q (see best_response_values) describes: 0 or 1 for every
// sequence, ties as told.
void best_response_plan(const tree::Treeplex& plex, std::span<const double> q,
                        std::span<double> plan, Ties ties = Ties::kFirst);

// The option: ties=first|last.
core::ParamInfo ties_param();
Ties read_ties(core::Params& params);

}  // namespace cleave::solve
