#pragma once

#include "search/agent.h"

namespace cleave::search {

// Follows a strategy of the whole game.
class BlueprintAgent final : public Agent {
 public:
  // The tree must outlive the agent.
  BlueprintAgent(const tree::Tree& tree, tree::Strategy strategy);
  void act(uint32_t infoset, std::span<double> probabilities) override;
  const tree::Strategy& strategy() const { return strategy_; }

 private:
  const tree::Tree& tree_;
  tree::Strategy strategy_;
};

// The strategy that an agent which has one from the start follows ("uniform", "blueprint(...)",
// "solve(...)"): what the other agents stand on. Throws InputError for any other agent.
tree::Strategy make_blueprint(std::string_view spec, const Setting& setting);

AgentInfo uniform_info();
AgentInfo blueprint_info();
AgentInfo solve_info();

}  // namespace cleave::search
