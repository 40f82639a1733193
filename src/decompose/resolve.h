#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "decompose/method.h"
#include "decompose/summary.h"
#include "solve/schedule.h"

// Re-solving of subgames on the tree engine.
namespace cleave::decompose {

struct ResolveOptions {
  std::string algorithm = "cfr+";  // of the CFR family
  int64_t iterations = 1000;
  bool exact = false;  // the gadget's game by linear program instead
  // Leaves subgames that the trunk does not reach as they are, where a method would refuse them.
  bool keep_unreached = false;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(size_t subgames_done, int hero)> progress = {};
};

// The part of re-solving that looks at the trunk: what the gadget of one subgame is made from.
// Throws InputError where an unsafe gadget has no opponent's reach to go by.
GadgetInput make_gadget_input(const CutGame& game, const tree::Strategy& strategy,
                              const std::vector<Summary>& summaries, size_t subgame, int hero,
                              const Method& method);

// Replaces the hero's strategy in one subgame of `strategy`. The trunk part of it and the summaries
// are all that is read. Where the hero's own trunk never comes to the subgame, nothing changes.
void resolve_subgame(const CutGame& game, const std::vector<Summary>& summaries, size_t subgame,
                     int hero, const Method& method, const ResolveOptions& options,
                     tree::Strategy& strategy);

// All subgames for both players, each from the given trunk and summaries.
tree::Strategy resolve_all(const CutGame& game, const std::vector<Summary>& summaries,
                           const Method& method, const ResolveOptions& options,
                           const tree::Strategy& strategy);

}  // namespace cleave::decompose
