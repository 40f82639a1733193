#pragma once

#include <map>

#include "decompose/leaf_registry.h"
#include "decompose/stretch.h"
#include "search/agent.h"
#include "search/follower.h"

namespace cleave::search {

// What was found by looking ahead from one stop of a player.
struct Found {
  const decompose::Piece& step;  // to its next stops
  const decompose::Profile& profile;
  // What the players' states below the horizon are worth, in the order of Rest::horizon.
  const std::vector<decompose::Vectors>& horizon;
};

// What is carried from one stop to the next in continual re-solving: the opponent's counterfactual
// values at the root of what is below a leaf of the step, Burch's units. `reach`: the other's, that
// arrives there.
std::vector<double> carry(const Found& found, size_t leaf, size_t number, size_t opponent,
                          decompose::Follow how, const decompose::Vectors& reach);

struct ContinualOptions {
  int depth = 0;                 // how far to look ahead (AnyGame::steps)
  decompose::MakeLeaves leaves;  // needed where depth is not 0
  std::shared_ptr<const decompose::Profile> blueprint = {};  // for leaves that go by one
  std::string algorithm = "pcfr+";                           // of the CFR family
  int64_t iterations = 500;                                  // of each solve
  decompose::Method method;
  // Carry the opponent's values from before its own moves (DeepStack: a move of its own changes
  // nothing), or after them: what it lost by them is a gift to the next solve.
  bool before_moves = true;
};

// Continual re-solving (Moravcik et al. 2017, DeepStack): no strategy is kept for the game. At
// every stop, where the agent is to act, it solves what lies ahead, entered with its own reach
// (from its own earlier solves) below a gadget whose alternatives are the opponent's values found
// by the solve before; at the first one from the game's root. Each solve is done once and depends
// only on those before it on the way, so the agent plays one strategy, whose exploitability can be
// measured. Where its own reach is zero it does not think and acts uniformly.
class ContinualAgent final : public Agent {
 public:
  ContinualAgent(const Setting& setting, ContinualOptions options);
  void act(const door::Question& question, std::span<double> probabilities) override;
  std::shared_ptr<const decompose::Profile> complete() override;
  int64_t num_solves() const { return num_solves_; }

 private:
  // One stop of one seat.
  struct Thought {
    std::shared_ptr<const decompose::Piece> step, ahead;
    decompose::Vectors reach;                              // of both, that arrives
    std::shared_ptr<const decompose::Profile> found = {};  // how both go on
    std::vector<decompose::Vectors> horizon = {};          // and what that brings beyond
    decompose::Stretch stretch = {};                       // of the step, so played
  };

  Thought& think(size_t seat, const Path& path);
  void solve(size_t seat, const decompose::Method& method, const decompose::Entrance& entrance,
             Thought& thought);
  void look_back(size_t seat, Thought& thought) const;
  decompose::Entrance carry_on(size_t seat, const Thought& from, size_t leaf, size_t number,
                               const decompose::Below& below) const;
  void complete_below(size_t seat, const Path& path, decompose::Recombined& strategy);

  const Setting& setting_;
  ContinualOptions options_;
  Follower follower_;
  std::map<std::pair<size_t, Path>, Thought> thoughts_;
  size_t bytes_ = 0;  // of their strategies; forgotten when they are too many, and thought again
  int64_t num_solves_ = 0;
};

AgentInfo continual_info();

}  // namespace cleave::search
