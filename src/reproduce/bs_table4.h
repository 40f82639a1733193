#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Table 4 of Brown and Sandholm (2017): answers to bets outside the abstraction, nested solving and
// action translation.
TargetInfo bs_table4();

}  // namespace cleave::reproduce
