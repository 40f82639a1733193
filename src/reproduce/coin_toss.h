#pragma once

#include "reproduce/target.h"

namespace cleave::reproduce {

// Every number of Brown and Sandholm's Coin Toss, by linear program and by regret minimisation.
TargetInfo coin_toss();

}  // namespace cleave::reproduce
