#pragma once

#include <vector>

#include "decompose/second_pass.h"
#include "histories/profile.h"
#include "histories/summary.h"

// Re-solving of subgames of a tree: decompose/resolve.h on strategies of the whole game.
namespace cleave::histories {

using decompose::ResolveOptions;

// One subgame as a trunk knows it. Of the strategy only the part in the trunk is read.
decompose::Entrance enter_subgame(const CutGame& game, const tree::Strategy& strategy,
                                  const std::vector<decompose::Summary>& summaries, size_t subgame,
                                  size_t hero);
decompose::GadgetInput make_gadget_input(const CutGame& game, const tree::Strategy& strategy,
                                         const std::vector<decompose::Summary>& summaries,
                                         size_t subgame, size_t hero,
                                         const decompose::Method& method);

// The subgames and heroes that the options ask for, each from the given trunk and summaries. Where
// the hero's own trunk never comes to a subgame, nothing changes. Throws RunError when stopped.
tree::Strategy resolve_all(const CutGame& game, const std::vector<decompose::Summary>& summaries,
                           const decompose::Method& method, const ResolveOptions& options,
                           const tree::Strategy& strategy);

// Replaces the hero's strategy in one subgame.
void resolve_subgame(const CutGame& game, const std::vector<decompose::Summary>& summaries,
                     size_t subgame, size_t hero, const decompose::Method& method,
                     const ResolveOptions& options, tree::Strategy& strategy);

}  // namespace cleave::histories
