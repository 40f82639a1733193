#pragma once

#include <map>
#include <string>

#include "decompose/piece.h"

namespace cleave::decompose {

// What a subgame keeps when its strategy is dropped: all that re-solving needs beside the trunk.
// Per player and private state at the root: own reach, counterfactual values of the profile and
// counterfactual best-response values against the other's strategy (both in Burch's units).
struct Summary {
  Vectors reach;
  Vectors value;
  Vectors best_response;
};
// Of an engine that starts at the subgame's root and has no leaves.
Summary summarise(Engine& engine, const Vectors& reach);

// Summaries of pieces, each found again by its piece's key. In a file: an archive (tree/archive.h).
class KeptSummaries {
 public:
  // Of all that is below a trunk, leaf by leaf and deal by deal.
  KeptSummaries(const Piece& trunk, std::vector<Summary> summaries);
  explicit KeptSummaries(const std::string& path);  // throws InputError
  void write(const std::string& path) const;

  // Throws InputError where there is none of the piece.
  const Summary& of(const Piece& piece) const;
  std::vector<Summary> below(const Piece& trunk) const;  // in the order above

 private:
  std::string where_;  // for errors
  // By hash of the key: keys are long, and pieces may be many.
  std::map<std::pair<uint64_t, uint64_t>, Summary> summaries_;
};

}  // namespace cleave::decompose
