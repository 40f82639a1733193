#include "ensemble_leaves.h"

using namespace cleave;

// reach[player][state] came down to each leaf; values[player][state] go back up and already have
// the right sizes.
void EnsembleLeaves::evaluate(std::span<decompose::LeafState> leaves, decompose::Players wanted) {
  others_.assign(leaves.begin(), leaves.end());
  one_.evaluate(leaves, wanted);
  two_.evaluate(others_, wanted);
  for (size_t i = 0; i < leaves.size(); ++i) {
    for (size_t p = 0; p < 2; ++p) {
      if (!decompose::has(wanted, p)) continue;
      const std::vector<double>& other = others_[i].values[p];
      std::vector<double>& mean = leaves[i].values[p];
      for (size_t s = 0; s < mean.size(); ++s) mean[s] = (mean[s] + other[s]) / 2;
    }
  }
}
