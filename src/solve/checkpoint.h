#pragma once

#include <string>

#include "solve/run.h"

namespace cleave::solve {

// What a run was asked for, kept with its state: a checkpoint continues only the same run.
struct Task {
  std::string game;       // Game::name()
  std::string algorithm;  // as given, e.g. "dcfr(alpha=1.5)"
  RunOptions options;
};

// A record as it stands in an archive. load_record throws InputError where it is none.
void save_record(const Record& record, tree::Archive& archive);
Record load_record(const tree::Archive& archive);

void write_checkpoint(const std::string& path, const Problem& problem, const Task& task,
                      const Solver& solver, const Record& record);

// A checkpoint read and verified, but not yet put to work.
class Checkpoint {
 public:
  // Throws InputError: no archive, damaged, not a checkpoint, or of another game.
  Checkpoint(const std::string& path, const Problem& problem);

  const Task& task() const { return task_; }
  const Record& record() const { return record_; }
  void restore(Solver& solver) const;

 private:
  std::string path_;
  tree::Archive archive_;
  Task task_;
  Record record_;
};

}  // namespace cleave::solve
