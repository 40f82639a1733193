#include "search/carried.h"

#include "decompose/leaf_evaluator.h"

namespace cleave::search {

std::vector<double> carry(const Found& found, size_t leaf, size_t number, size_t opponent,
                          decompose::Follow how, const decompose::Vectors& reach) {
  const decompose::Rest rest = found.step.rest(leaf, number);
  if (rest.is_leaf) return found.horizon[rest.horizon[0]][opponent];
  const auto engine = rest.piece->engine();
  found.profile.give(*rest.piece, *engine);
  decompose::Leaves below(*rest.piece, *engine);
  for (size_t i = 0; i < below.size(); ++i) {
    below.states()[i].values[opponent] = found.horizon[rest.horizon[i]][opponent];
  }
  below.give_values(*engine, opponent);
  std::vector<double> values(reach[opponent].size());
  engine->values(opponent, how, reach[1 - opponent], values);
  return values;
}

}  // namespace cleave::search
