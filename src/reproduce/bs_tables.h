#pragma once

#include "reproduce/target.h"

// Tables 1 to 3 of Brown and Sandholm (2017): subgame solving after card abstraction, in flop and
// turn hold'em; and figure 9, gifts scaled up.
namespace cleave::reproduce {

TargetInfo bs_table1();
TargetInfo bs_table2();
TargetInfo bs_table3();
TargetInfo bs_fig9();

}  // namespace cleave::reproduce
