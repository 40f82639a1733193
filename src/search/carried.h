#pragma once

#include <vector>

#include "histories/piece.h"
#include "search/places.h"
#include "tree/strategy.h"

// What is carried from one place to the next in continual re-solving: the opponent's counterfactual
// values at the roots of the next places, found by the solve of this one.
namespace cleave::search {

// One place and its solution: both players' average strategies stand in `strategy` (the hero's also
// on the way to the place), the opponent's averaged leaf values beside it.
struct SolvedPlace {
  const tree::Tree& tree;
  const std::vector<double>& chance;  // [history]: chance's reach
  const Places& places;
  uint32_t place;
  size_t opponent;
  const tree::Strategy& strategy;
  const std::vector<histories::Border>& leaves;
  std::vector<decompose::Vectors> leaf_values;  // [leaf]
};

// [child of the place][the opponent's private state at its roots], Burch's units.
struct Carried {
  // Of a counterfactual best response against the hero's strategy: what safe re-solving bounds.
  std::vector<std::vector<double>> best_response;
  // The same before the opponent's own moves on the way: where it goes wrong by a move, the next
  // solve may give back what the mistake cost (DeepStack: "opponent action: no change"). With
  // several continuations behind a move the difference is split in proportion to reach.
  std::vector<std::vector<double>> before_moves;
  // Of both players' average strategies.
  std::vector<std::vector<double>> estimate;
};
Carried carry(const SolvedPlace& solved);

}  // namespace cleave::search
