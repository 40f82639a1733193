#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Seven Leduc games by FPIRA: sizes of the first and the final abstraction and of the largest best
// response, time and memory.
TargetInfo fpira_table();

}  // namespace cleave::reproduce
