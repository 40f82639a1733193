#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
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
  std::optional<int> hero = {};        // only this player's strategy; none: both players'
  std::optional<size_t> subgame = {};  // only this one; none: all
  int threads = 1;                     // subgames and heroes side by side; the same result
  const std::atomic<bool>* stop = nullptr;
  std::function<void(size_t done, size_t all)> progress = {};  // calls come one at a time
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

// The subgames and heroes that the options ask for, each from the given trunk and summaries. Throws
// RunError when stopped.
tree::Strategy resolve_all(const CutGame& game, const std::vector<Summary>& summaries,
                           const Method& method, const ResolveOptions& options,
                           const tree::Strategy& strategy);

}  // namespace cleave::decompose
