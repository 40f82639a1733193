#pragma once

#include <memory>
#include <string>

#include "core/aligned.h"
#include "core/file.h"
#include "hands/spot_solver.h"

namespace cleave::hands {

// A solved spot to be looked at (view.h). Strategies stay in the file: what a node needs is read
// when it is asked for. Not for two threads at a time.
class Solution {
 public:
  // Throws InputError as PokerFile does.
  Solution(const std::string& path, int threads);

  const Problem& problem() const { return problem_; }
  const SolverOptions& options() const { return options_; }
  const solve::Record& record() const { return record_; }
  VectorEngine& engine() { return *engine_; }
  uint64_t bytes() const { return mapped_.bytes().size(); }  // of the file

 private:
  Solution(const PokerFile& file, const std::string& path, int threads);

  Problem problem_;
  SolverOptions options_;
  solve::Record record_;
  core::MappedFile mapped_;
  std::vector<core::AlignedVector<std::byte>> read_;  // small arrays, and those of old files
  std::unique_ptr<VectorEngine> engine_;
};

}  // namespace cleave::hands
