#pragma once

#include <string>
#include <vector>

#include "decompose/cut_game.h"
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

// Of every subgame, from a strategy of the whole game.
std::vector<Summary> summarise(const CutGame& game, const tree::Strategy& strategy);

// The reach of the private states at a border under a strategy of the game.
Vectors border_reach(const tree::Tree& game, const Border& border, const tree::Strategy& strategy);

// An archive (tree/archive.h) bound to game and cut. read throws InputError if it is another's.
void write_summaries(const CutGame& game, const std::vector<Summary>& summaries,
                     const std::string& path);
std::vector<Summary> read_summaries(const CutGame& game, const std::string& path);

}  // namespace cleave::decompose
