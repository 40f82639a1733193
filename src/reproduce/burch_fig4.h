#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// CFR-D on Leduc, then safe re-solving: exploitability by iterations in the trunk and in the
// subgames.
TargetInfo burch_fig4();

}  // namespace cleave::reproduce
