#include "in_turn.h"

#include <numeric>

#include "decompose/leaf_evaluator.h"

using namespace cleave;

double resolve_in_turn(const decompose::Piece& trunk, const decompose::Profile& profile,
                       size_t hero, const std::vector<decompose::Method>& methods,
                       const decompose::ResolveOptions& options) {
  const size_t opponent = 1 - hero;
  const auto top = trunk.engine();
  profile.give(trunk, *top);
  const decompose::Vectors root_reach = decompose::full_reach(*top);
  for (size_t p = 0; p < 2; ++p) top->follow(p, root_reach[p]);

  // Down: the reach with which both players come to each subgame.
  decompose::Leaves leaves(trunk, *top);
  leaves.take_reach(*top);
  for (decompose::LeafState& leaf : leaves.states()) {
    const auto engine = leaf.piece->engine();
    profile.give(*leaf.piece, *engine);
    for (const decompose::Method& method : methods) {
      // All that a gadget is made from, measured on the strategies that stand in the engine now.
      const decompose::Entrance entrance{.summary = decompose::summarise(*engine, leaf.reach)};
      decompose::resolve_subgame(*leaf.piece, *engine, hero, method, entrance, options);
    }
    engine->best_response(opponent, leaf.reach[hero], leaf.values[opponent]);
  }

  // Up: the opponent answers the new strategies below and the profile's above.
  leaves.give_values(*top, opponent);
  std::vector<double> values(top->num_states(opponent));
  top->best_response(opponent, root_reach[hero], values);
  return std::inner_product(values.begin(), values.end(), root_reach[opponent].begin(), 0.0);
}
