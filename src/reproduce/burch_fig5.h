#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// An abstract equilibrium of Leduc whose subgames are re-solved without the abstraction:
// exploitability, and value against the original strategy, by re-solving iterations.
TargetInfo burch_fig5();

}  // namespace cleave::reproduce
