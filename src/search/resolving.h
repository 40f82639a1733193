#pragma once

#include <map>

#include "decompose/resolve.h"
#include "search/agent.h"
#include "search/follower.h"

namespace cleave::search {

// Follows a blueprint in the trunk of a cut; on coming into a subgame, re-solves it for its own
// seat by a method, once.
class ResolvingAgent final : public Agent {
 public:
  ResolvingAgent(const Setting& setting, std::shared_ptr<const decompose::Profile> blueprint,
                 std::string_view cut, decompose::Method method, decompose::ResolveOptions options);
  void act(const door::Question& question, std::span<double> probabilities) override;
  std::shared_ptr<const decompose::Profile> complete() override;

 private:
  // A piece that was entered: part of the trunk, or a subgame.
  struct Entered {
    std::shared_ptr<const decompose::Piece> piece;
    decompose::Arrival arrival;
    decompose::Stretch stretch;                                // of a piece with leaves
    std::array<std::unique_ptr<decompose::Engine>, 2> answer;  // [seat], once it is solved
  };

  Entered& enter(const Path& path);
  decompose::Engine& engine_in(Entered& entered, size_t seat);
  void solve_below(const Path& path, decompose::Recombined& strategy);

  const Setting& setting_;
  std::shared_ptr<const decompose::Profile> blueprint_;
  decompose::Method method_;
  decompose::ResolveOptions options_;
  Follower follower_;
  std::map<Path, Entered> entered_;
  size_t bytes_ = 0;  // of answers; forgotten when they are too many, and solved again
};

AgentInfo resolving_info();

}  // namespace cleave::search
