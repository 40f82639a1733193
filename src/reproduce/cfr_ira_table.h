#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// CFR+ in the original game, FPIRA, and CFR+ in an abstraction that refines itself, all to the same
// exploitability: iterations, cells and memory.
TargetInfo cfr_ira_table();

}  // namespace cleave::reproduce
