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
#include "door/game.h"

namespace cleave::search {

// Whoever plays a game, in either seat and on either engine. It sees what happens at the table, by
// names and chips, also moves that its own game does not have. All it has seen of a hand comes with
// every question, so nothing is handed over between moves: an agent that thinks as it plays
// remembers by itself, and answers the same whatever it was asked before.
class Agent {
 public:
  virtual ~Agent() = default;
  // `probabilities`: one for each of the question's moves. Throws Interrupted when stopped.
  virtual void act(const door::Question& question, std::span<double> probabilities) = 0;
  // What it does everywhere in the game of its setting: with it an agent that has no strategy on
  // file can be measured exactly.
  virtual std::shared_ptr<const decompose::Profile> complete() = 0;
  // Throws InputError where that cannot be written down, and why.
  virtual void check_complete() const {}
};

// Thrown when a stop that was asked for comes while an agent thinks.
class Interrupted : public core::RunError {
 public:
  using core::RunError::RunError;
};

// The game at the table, and how long thinking is watched. Must outlive the agents.
struct Setting {
  const door::AnyGame& game;
  uint64_t seed = 1;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  // Now and then while an agent thinks: what at, and how far.
  std::function<void(std::string_view what, int64_t done, int64_t total)> progress = {};

  void check_stop() const;  // throws Interrupted
  // What the work brings; where a stop ends it, that is Interrupted and no other error.
  template <class Work>
  auto stoppable(const Work& work) const {
    try {
      return work();
    } catch (const core::RunError&) {
      check_stop();
      throw;
    }
  }
};

// One kind of agent: what help and JSON show and how it is made. `make` reads its parameters, and
// refuses unknown ones before it begins to think.
struct AgentInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  std::unique_ptr<Agent> (*make)(const Setting& setting, core::Params& params);
};

const std::vector<AgentInfo>& all_agents();

// "uniform", "solve(algorithm=dcfr(gamma=3),iterations=1000)", "resolve(cut=round:1,
// blueprint=blueprint(file=leduc.csv))", ... Throws InputError saying what is allowed.
std::unique_ptr<Agent> make_agent(std::string_view spec, const Setting& setting);

}  // namespace cleave::search
