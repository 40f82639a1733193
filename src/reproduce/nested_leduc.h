#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Table 4 of Brown and Sandholm in small: Leduc with three bet sizes against a player who knows two
// of them and answers the third by nested solving or by translation.
TargetInfo nested_leduc();

}  // namespace cleave::reproduce
