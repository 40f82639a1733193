#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Rock-paper-scissors cut after player one's choice: what goes wrong below a cut and what mends it.
TargetInfo rps();

}  // namespace cleave::reproduce
