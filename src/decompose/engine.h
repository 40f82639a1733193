#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/kernels.h"

// The interface at a cut. Everything in this room is written against it; the tree engine
// implements it for any game, the vector engine for community-card poker. Players are 0 and 1.
namespace cleave::decompose {

// One number per private state of each player at a public state: reach goes down, counterfactual
// values (Burch's units: weighted by chance and the other's reach, not normalised) come up.
using Vectors = std::array<std::vector<double>, 2>;  // [player][private state]

// A place where one player chooses, in one or many private states.
struct Decision {
  size_t player = 0;
  size_t num_actions = 0;
  size_t num_states = 0;
  size_t num_rows() const { return num_actions * num_states; }
};

// What one player sees at its decisions, Burch's units: [decision of the engine], empty where the
// other one acts.
struct DecisionValues {
  std::vector<std::vector<double>> action;  // [action][state]: worth of each action
  std::vector<std::vector<double>> reach;   // [state]: rho, chance's and the other's reach
  // [action][state]: of each action, whatever the other does from here on.
  std::vector<std::vector<double>> guaranteed;
};

// As a leaf's value: the player may not go there. Best responses only; less than any payoff.
inline constexpr double kClosed = -1e30;

// How a player goes on whose values are asked for; the other follows its average strategy.
enum class Follow { kAverage, kBestResponse };

// A stretch of game between a root and the leaves where other stretches begin, with both players
// learning in it. Fixed once made: how many private states each player has at the root and at
// every leaf. Values are payoffs with the game's constant-sum shift taken off, to the player.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual size_t num_states(size_t player) const = 0;  // at the root
  // rho[state] = sum over root histories in the player's state of chance * the other's reach.
  virtual void counterfactual_reach(size_t player, std::span<const double> other_reach,
                                    std::span<double> rho) const = 0;

  // Forgets everything learnt.
  virtual void reset() = 0;
  // Down: the player's reach with its current strategy, and into the average:
  // average = average * decay + reach.
  virtual void descend(size_t player, std::span<const double> root_reach, double decay) = 0;
  // Down with its average strategy instead; nothing is learnt.
  virtual void follow(size_t player, std::span<const double> root_reach) = 0;
  // Up: action values against the other's reach (of its last descend) and the leaf values given,
  // the player's regrets and next strategy from them. `values`: of the root's states.
  virtual void learn(size_t player, const kernels::RegretUpdate& update,
                     std::span<double> values) = 0;

  // Values of the player's root states against the other's average strategy.
  virtual void values(size_t player, Follow how, std::span<const double> other_reach,
                      std::span<double> values) = 0;
  // The same at all of the player's decisions.
  virtual DecisionValues decision_values(size_t player, Follow how,
                                         std::span<const double> other_reach) = 0;

  // Leaves. Reach is that of the player's last descend or follow.
  virtual size_t num_leaves() const = 0;
  virtual size_t num_leaf_states(size_t leaf, size_t player) const = 0;
  virtual void leaf_reach(size_t leaf, size_t player, std::span<double> reach) const = 0;
  // Used by learn and by values of all kinds until others are given; zero at first.
  virtual void set_leaf_values(size_t leaf, size_t player, std::span<const double> values) = 0;

  // Strategies, [action][state], of numbered decisions. Read: the average, the current one where
  // the average is empty. Set: both are this one from now on, until something is learnt; fixed:
  // also while everything else learns, and in best responses.
  virtual size_t num_decisions() const = 0;
  virtual Decision decision(size_t number) const = 0;
  virtual void strategy(size_t decision, std::span<double> rows) = 0;
  virtual void set_strategy(size_t decision, std::span<const double> rows) = 0;
  virtual void fix(size_t decision, std::span<const double> rows) = 0;

  virtual size_t learning_bytes() const = 0;  // regrets, strategies and averages
  // Where they stand: what is written there is what has been learnt. Throws RunError where an
  // engine cannot be put away.
  virtual std::vector<std::span<std::byte>> learnt();

  // Both follow their average strategies from the given reach on: values to both.
  void evaluate(const Vectors& root_reach, Vectors& values);
  // A counterfactual best response of the player against the other's average strategy.
  void best_response(size_t player, std::span<const double> other_reach, std::span<double> values) {
    this->values(player, Follow::kBestResponse, other_reach, values);
  }
};

// The player's reach at every leaf, [leaf].
std::vector<std::vector<double>> leaf_reaches(const Engine& engine, size_t player);
std::vector<Vectors> leaf_reaches(const Engine& engine);
// Reach where nobody has done anything yet.
Vectors full_reach(const Engine& engine);

}  // namespace cleave::decompose
