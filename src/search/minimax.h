#pragma once

#include "search/tree_agent.h"

namespace cleave::search {

// v(h): what a history is worth to player one, the constant-sum shift taken off.
using PositionValue = std::function<double(uint32_t history)>;

// Classical search in a game of perfect information: looks `depth` moves ahead (chance's counted),
// asks v(h) there, and takes maxima, minima and expectations upwards. Of equally good actions the
// first, as backward induction does. With a right v(h) it plays optimally at any depth.
class MinimaxAgent final : public TreeAgent {
 public:
  // Throws InputError where an information set holds several histories.
  MinimaxAgent(const door::TreeGame& game, int depth, PositionValue value);
  void act_at(uint32_t infoset, std::span<double> probabilities) override;

  // What a history is worth, seen from `depth` moves above the horizon. Throws InputError where
  // v(h) is not a finite number.
  double search(uint32_t history, int depth) const;

 private:
  int depth_;
  PositionValue value_;
};

// v(h) by backward induction: exact.
std::vector<double> exact_position_values(const tree::Tree& tree);

AgentInfo minimax_info();

}  // namespace cleave::search
