#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// FPIRA and fictitious play side by side on the largest Leduc game: exploitability, and how the
// abstraction grows, by iterations.
TargetInfo fpira_fig2();

}  // namespace cleave::reproduce
