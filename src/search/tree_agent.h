#pragma once

#include "door/tree_game.h"
#include "search/agent.h"

namespace cleave::search {

// An agent that thinks in the information sets of a compiled game, the table's.
class TreeAgent : public Agent {
 public:
  explicit TreeAgent(const door::TreeGame& game) : game_(game), tree_(game.problem().tree) {}

  void act(const door::Question& question, std::span<double> probabilities) final;
  // Asks at every information set, in the order of play.
  std::shared_ptr<const decompose::Profile> complete() final;
  virtual void act_at(uint32_t infoset, std::span<double> probabilities) = 0;

 protected:
  const door::TreeGame& game_;
  const tree::Tree& tree_;
};

}  // namespace cleave::search
