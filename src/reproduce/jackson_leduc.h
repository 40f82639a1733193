#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Leduc: the round-two subgames dropped and recovered by the standard approach, by path recovery
// games and by strategy grafting.
TargetInfo jackson_leduc();

}  // namespace cleave::reproduce
