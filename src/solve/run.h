#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "solve/evaluate.h"
#include "solve/limits.h"
#include "solve/solver.h"

namespace cleave::solve {

// What a run has done so far; a checkpoint keeps it.
struct Record {
  double seconds = 0;  // solving only, without the evaluations between
  std::vector<HistoryPoint> history;
};

enum class Stopped { kFinished, kTarget, kIterations, kSeconds, kInterrupted };
const char* to_string(Stopped stopped);

struct Hooks {
  const std::atomic<bool>* stop = nullptr;  // looked at after every iteration
  // Several times a second: the newest point of the history and the iteration now.
  std::function<void(int64_t iteration, double seconds, const HistoryPoint& latest)> progress;
  std::function<void(const Record& record)> checkpoint;
  double checkpoint_seconds = 60;
};

struct RunResult {
  Stopped stopped = Stopped::kFinished;
  Certificate certificate;  // of the average strategy at the end
};

// What a run drives: a solver on its game, of whichever engine.
class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual void iterate() = 0;
  virtual int64_t iterations() const = 0;
  virtual bool finished() const { return false; }
  virtual Certificate certify() = 0;  // of the average strategy
  // The first iteration from `iteration` on after which exploitability is measured. A fixed
  // sequence, so that a resumed run stops where an uninterrupted one does.
  virtual int64_t next_check(int64_t iteration) const = 0;
};

RunResult run(Runnable& task, const Limits& limits, const Hooks& hooks, Record& record);

// The tree engine's: the first iteration from `iteration` on after which exploitability is
// measured: 1, 2, 3, ... and from 20 on every 5% more.
int64_t next_check(int64_t iteration);

RunResult run(const Problem& problem, Solver& solver, const Limits& limits, int threads,
              const Hooks& hooks, Record& record);

}  // namespace cleave::solve
