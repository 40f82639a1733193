#pragma once

#include "door/tree_game.h"
#include "search/agent.h"

namespace cleave::search {

// v(h): what a history is worth to player one, the constant-sum shift taken off.
using PositionValue = std::function<double(uint32_t history)>;

// Classical search in a game of perfect information: looks `depth` moves ahead (chance's counted),
// asks v(h) there, and takes maxima, minima and expectations upwards. Of equally good actions the
// first, as backward induction does. With a right v(h) it plays optimally at any depth. Thinks in
// the information sets of a compiled game, the table's.
class MinimaxAgent final : public Agent {
 public:
  // Throws InputError where an information set holds several histories.
  MinimaxAgent(const door::TreeGame& game, int depth, PositionValue value);
  void act(const door::Question& question, std::span<double> probabilities) override;
  std::shared_ptr<const decompose::Profile> complete() override;

  // What a history is worth, seen from `depth` moves above the horizon. Throws InputError where
  // v(h) is not a finite number.
  double search(uint32_t history, int depth) const;

 private:
  void act_at(uint32_t infoset, std::span<double> probabilities) const;

  const door::TreeGame& game_;
  const tree::Tree& tree_;
  int depth_;
  PositionValue value_;
};

// v(h) by backward induction: exact.
std::vector<double> exact_position_values(const tree::Tree& tree);

AgentInfo minimax_info();

}  // namespace cleave::search
