#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Re-solving Leduc's subgames from an equilibrium's summaries, safely and not.
TargetInfo burch_fig3();

}  // namespace cleave::reproduce
