#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/kernels.h"

// The interface at a cut. Everything in this room is written against it; the tree engine
// implements it for any game, the vector engine for community-card poker.
namespace cleave::decompose {

// One number per private state of each player at a public state: reach goes down, counterfactual
// values (Burch's units: weighted by chance and the other's reach, not normalised) come up.
using Vectors = std::array<std::vector<double>, 2>;  // [player][private state]

// A stretch of game between a root and the leaves where other stretches begin, with both players
// learning in it. Fixed once made: how many private states each player has at the root and at
// every leaf. Values are payoffs with the game's constant-sum shift taken off, to the player.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual size_t num_states(int player) const = 0;  // at the root
  // rho[state] = sum over root histories in the player's state of chance * the other's reach.
  virtual void counterfactual_reach(int player, std::span<const double> other_reach,
                                    std::span<double> rho) const = 0;

  // Forgets everything learnt.
  virtual void reset() = 0;
  // Down: the player's reach with its current strategy, and into the average:
  // average = average * decay + reach.
  virtual void descend(int player, std::span<const double> root_reach, double decay) = 0;
  // Up: action values against the other's reach (of its last descend) and the leaf values given,
  // the player's regrets and next strategy from them. `values`: of the root's states.
  virtual void learn(int player, const kernels::RegretUpdate& update, std::span<double> values) = 0;

  // Both follow their average strategies from the given reach on: values to both.
  virtual void evaluate(const Vectors& root_reach, Vectors& values) = 0;
  // A counterfactual best response of the player against the other's average strategy.
  virtual void best_response(int player, std::span<const double> other_reach,
                             std::span<double> values) = 0;

  virtual size_t num_leaves() const = 0;
  virtual size_t num_leaf_states(size_t leaf, int player) const = 0;
  // Of the player's last descend.
  virtual void leaf_reach(size_t leaf, int player, std::span<double> reach) const = 0;
  // Used by learn, evaluate and best_response until others are given; zero at first.
  virtual void set_leaf_values(size_t leaf, int player, std::span<const double> values) = 0;

  virtual size_t learning_bytes() const = 0;  // regrets, strategies and averages
};

}  // namespace cleave::decompose
