#include "ensemble_leaves.h"

using namespace cleave;

// reach[player][state] came down to this leaf; values[player][state] go back up. Both vectors
// already have the right sizes.
void EnsembleLeaves::evaluate(size_t leaf, const decompose::Vectors& reach,
                              decompose::Vectors& values) {
  other_ = values;
  one_.evaluate(leaf, reach, values);
  two_.evaluate(leaf, reach, other_);
  for (size_t p = 0; p < 2; ++p) {
    for (size_t s = 0; s < values[p].size(); ++s) values[p][s] = (values[p][s] + other_[p][s]) / 2;
  }
}
