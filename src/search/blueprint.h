#pragma once

#include "search/agent.h"
#include "search/follower.h"

namespace cleave::search {

// Follows a strategy of the whole game, its own or the table's.
class BlueprintAgent final : public Agent {
 public:
  // `own`: the game the strategy is for; none: the setting's.
  BlueprintAgent(const Setting& setting, std::shared_ptr<const door::AnyGame> own,
                 std::shared_ptr<const decompose::Profile> profile);
  void act(const door::Question& question, std::span<double> probabilities) override;
  std::shared_ptr<const decompose::Profile> complete() override;
  void check_complete() const override;

 private:
  std::shared_ptr<const door::AnyGame> own_;
  const door::AnyGame& game_;
  std::shared_ptr<const decompose::Profile> profile_;
  std::shared_ptr<const decompose::Piece> piece_;
  std::unique_ptr<decompose::Engine> engine_;  // of the piece, with the profile's strategies
  Follower follower_;
};

// The strategy that an agent which has one from the start follows ("uniform", "blueprint(...)",
// "solve(...)"): what the other agents stand on. Throws InputError for any other agent.
std::shared_ptr<const decompose::Profile> make_blueprint(std::string_view spec,
                                                         const Setting& setting);

AgentInfo uniform_info();
AgentInfo blueprint_info();
AgentInfo solve_info();
AgentInfo resolving_info();  // on top of one: resolving.cpp

}  // namespace cleave::search
