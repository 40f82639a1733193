#pragma once

#include "decompose/engine.h"

namespace cleave::decompose {

// What a subgame keeps when its strategy is dropped: all that re-solving needs beside the trunk.
// Per player and private state at the root: own reach, counterfactual values of the profile and
// counterfactual best-response values against the other's strategy (both in Burch's units).
struct Summary {
  Vectors reach;
  Vectors value;
  Vectors best_response;
};

// Of the strategies that stand in the engine's averages, entered with `reach`.
Summary summarise(Engine& engine, const Vectors& reach);

}  // namespace cleave::decompose
