#pragma once

#include <string>
#include <vector>

#include "solve/run.h"

namespace cleave::report {

using solve::HistoryPoint;

// How a run came closer to equilibrium.
struct History {
  std::string game;
  std::string algorithm;
  std::vector<HistoryPoint> points;
  friend bool operator==(const History&, const History&) = default;
};

// One row per point under the header `game,algorithm,iteration,seconds,exploitability,value`. Game
// and algorithm repeat in every row: the files of several runs can be put one after another and
// grouped by these columns. Numbers are the shortest decimals that are the same doubles.
void write_history_csv(const History& history, const std::string& path);

// Throws InputError `file:line: what; what is allowed`.
History read_history_csv(const std::string& path);

}  // namespace cleave::report
