#pragma once

#include <string>

#include "hands/problem.h"

namespace cleave::cli {

// `cleave info` of a spot or of a whole game of poker: counts and bytes, before anything is
// allocated.
void describe_spot(const std::string& game, const hands::Problem& problem, bool json);

}  // namespace cleave::cli
