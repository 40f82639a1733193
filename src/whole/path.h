#pragma once

#include <array>
#include <map>
#include <tuple>

#include "decompose/gifts.h"
#include "whole/blueprint.h"

namespace cleave::whole {

// What the opponent passes by on its way through the trunk: at each of its decisions before the
// cut, the values of the action taken and of those not taken, [hand of the setup], Burch's units.
struct PathStep {
  std::vector<double> reach;       // rho of the decision
  std::vector<double> best;        // CBV of the decision against the blueprint
  std::vector<double> best_taken;  // CBV of the action on the path
  std::vector<double> other;       // the best of the other actions if both follow the blueprint
  std::vector<double> taken;       // the action on the path if both do
  double guaranteed = 0;           // chips that no strategy of the hero can take away
};

class Paths {
 public:
  // Measures the blueprint: leaf values of both players, by best responses and by its own strategy.
  Paths(const Game& game, Blueprint& blueprint);

  const std::vector<Floats>& leaf_values(size_t player, bool best_response) const {
    return leaf_values_[player][best_response ? 1 : 0];
  }
  // The opponent's decisions before the subgame below `line` on a board of the trunk, first to
  // last.
  std::vector<const PathStep*> steps(size_t board, size_t line, size_t opponent);

 private:
  struct Place {
    uint32_t street, board, node;
    bool operator<(const Place& other) const {
      return std::tie(street, board, node) < std::tie(other.street, other.board, other.node);
    }
  };
  const PathStep& step(const Place& place, uint32_t taken, size_t opponent);
  void give_leaf_values(bool best_response);

  const Game& game_;
  Blueprint& blueprint_;
  std::array<std::array<std::vector<Floats>, 2>, 2> leaf_values_;  // [player][best response][leaf]
  std::vector<std::pair<uint32_t, uint32_t>> place_;               // [betting node]: street, node
  std::map<std::pair<Place, uint32_t>, PathStep> steps_;
};

// The gifts on the way, as decompose counts them: [step], in V units. `rho`: of the root state.
std::vector<decompose::Gift> gifts_of(const std::vector<const PathStep*>& steps, size_t hand,
                                      double rho);
// What the opponent gives up, or wins, by coming here if both follow the blueprint: the largest
// over its decisions of the best other action less the one taken.
double detour(const std::vector<const PathStep*>& steps, size_t hand);

}  // namespace cleave::whole
