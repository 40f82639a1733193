#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// FPIRA on many random games of two depths: how small the abstraction stays, mean and spread.
TargetInfo fpira_random();

}  // namespace cleave::reproduce
