#pragma once

#include "tree/tree.h"

namespace cleave::tree {

// Fills `public_state`: within each level, the smallest sets of non-terminal histories closed under
// both players' augmented information sets (Burch et al., definition 1, taken level by level).
void find_public_states(Tree& tree);

}  // namespace cleave::tree
