#include "decompose/summary.h"

namespace cleave::decompose {

Summary summarise(Engine& engine, const Vectors& reach) {
  Summary summary;
  summary.reach = reach;
  for (size_t p = 0; p < 2; ++p) {
    summary.value[p].resize(reach[p].size());
    summary.best_response[p].resize(reach[p].size());
  }
  engine.evaluate(reach, summary.value);
  for (size_t p = 0; p < 2; ++p) {
    engine.best_response(p, reach[1 - p], summary.best_response[p]);
  }
  return summary;
}

}  // namespace cleave::decompose
