#pragma once

#include <memory>
#include <vector>

#include "decompose/piece.h"

namespace cleave::decompose {

// Whose values are asked for, or given.
enum class Players : uint8_t { kNone = 0, kFirst = 1, kSecond = 2, kBoth = 3 };
inline Players only(size_t player) { return player == 0 ? Players::kFirst : Players::kSecond; }
inline bool has(Players players, size_t player) {
  return (static_cast<unsigned>(players) >> player & 1) != 0;
}

// A piece below a trunk, and what crosses the cut there in one iteration.
struct LeafState {
  std::shared_ptr<const Piece> piece;
  Vectors reach;   // arrives; of a player who has not been sent down yet, the one before
  Vectors values;  // go back, already of the right size
};

// What stands below a cut. Given both players' reach at all leaves of an iteration, counterfactual
// values there. May keep state between calls (a warm solver, the opponent's regrets over
// continuations); calls come in a fixed order and always with the same leaves.
class LeafEvaluator {
 public:
  virtual ~LeafEvaluator() = default;
  // Fills in the values of the players wanted. What it says of others is not looked at.
  virtual void evaluate(std::span<LeafState> leaves, Players wanted) = 0;
  virtual void reset() {}  // a new run begins
  // The largest number of bytes of regrets and strategies it held at any one time.
  virtual size_t peak_learning_bytes() const { return 0; }
  // What it noticed, for people: one line, or nothing.
  virtual std::string report() const { return {}; }
};

// For pieces without leaves: nothing is ever asked of it.
LeafEvaluator& no_leaves();

// An engine of a piece that evaluators follow to the end of the game. Throws InputError where the
// piece has leaves of its own.
std::unique_ptr<Engine> engine_to_the_end(const Piece& piece, int threads = 1);

// Everything below the leaves of one trunk, with the crossings: the link between an engine of the
// trunk and an evaluator.
class Leaves {
 public:
  Leaves() = default;  // none
  // `engine`: any of the trunk's, for the number of private states.
  Leaves(const Piece& trunk, const Engine& engine);

  size_t size() const { return states_.size(); }
  const std::vector<LeafState>& states() const { return states_; }

  // Sends the reach of both players through the evaluator and hands the values of those wanted back
  // to the engine. Throws InputError where an evaluator answers with another size or with numbers
  // that are not finite.
  void evaluate(Engine& engine, LeafEvaluator& evaluator, Players wanted);
  // Reach at the leaves, from the engine: what arrives at every piece.
  void take_reach(const Engine& engine);
  // Values of a player at every piece: back to the engine.
  void give_values(Engine& engine, size_t player) const;
  std::vector<LeafState>& states() { return states_; }

 private:
  void check_answer(size_t number, size_t player) const;

  std::vector<LeafState> states_;
  std::vector<size_t> leaf_;  // [number]
  std::vector<Crossing> crossings_;
  std::vector<std::array<size_t, 2>> num_states_;  // below
  std::vector<std::array<size_t, 2>> num_above_;   // [leaf]
};

}  // namespace cleave::decompose
