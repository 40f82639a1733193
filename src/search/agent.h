#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/params.h"
#include "solve/problem.h"

namespace cleave::search {

// Whoever plays a compiled game, in either seat. With perfect recall an information set determines
// its player's own past, so nothing is handed over between moves: an agent that thinks as it plays
// remembers by itself, and answers the same whatever it was asked before.
class Agent {
 public:
  virtual ~Agent() = default;
  // `probabilities`: one per action of the information set. Throws Interrupted when stopped.
  virtual void act(uint32_t infoset, std::span<double> probabilities) = 0;
};

// Thrown when a stop that was asked for comes while an agent thinks.
class Interrupted : public core::RunError {
 public:
  using core::RunError::RunError;
};

// The game an agent plays, and how long thinking is watched. Must outlive the agents.
struct Setting {
  const games::Game& game;
  const solve::Problem& problem;
  uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  // Now and then while an agent thinks: what at, and how far.
  std::function<void(std::string_view what, int64_t done, int64_t total)> progress = {};

  void check_stop() const;  // throws Interrupted
};

// One kind of agent: what help and JSON show and how it is made. `make` takes what it knows out of
// the arguments.
struct AgentInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  std::unique_ptr<Agent> (*make)(const Setting& setting, core::Call arguments);
};

const std::vector<AgentInfo>& all_agents();

// "uniform", "solve(algorithm=dcfr(gamma=3),iterations=1000)", "resolve(cut=round:1,
// blueprint=blueprint(file=leduc.csv))", ... Throws InputError saying what is allowed.
std::unique_ptr<Agent> make_agent(std::string_view spec, const Setting& setting);

// What two agents do at every information set, the first in seat one; asked in the order of play.
// With certify() it says exactly how exploitable an agent is that has no strategy on file.
tree::Strategy complete_strategy(const tree::Tree& tree, Agent& one, Agent& two);
inline tree::Strategy complete_strategy(const tree::Tree& tree, Agent& agent) {
  return complete_strategy(tree, agent, agent);
}

}  // namespace cleave::search
