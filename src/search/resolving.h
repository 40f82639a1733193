#pragma once

#include "histories/resolve.h"
#include "search/agent.h"

namespace cleave::search {

// Follows a blueprint in the trunk of a cut; on coming into a subgame, re-solves it for its own
// seat by a method, once.
class ResolvingAgent final : public Agent {
 public:
  ResolvingAgent(const Setting& setting, tree::Strategy blueprint, histories::Cut cut,
                 decompose::Method method, histories::ResolveOptions options);
  void act(uint32_t infoset, std::span<double> probabilities) override;

 private:
  const Setting& setting_;
  histories::CutGame game_;
  std::vector<decompose::Summary> summaries_;
  decompose::Method method_;
  histories::ResolveOptions options_;
  tree::Strategy strategy_;                       // the blueprint, with what is re-solved so far
  std::array<std::vector<bool>, 2> is_resolved_;  // [player][subgame]
};

AgentInfo resolving_info();

}  // namespace cleave::search
