#include "decompose/leaves/function_leaves.h"

namespace cleave::decompose {

void FunctionLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  function_(leaf, reach, values);
}

}  // namespace cleave::decompose
