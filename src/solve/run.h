#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "solve/evaluate.h"
#include "solve/solver.h"

// When a run stops, how long that will take, and the run itself.
namespace cleave::solve {

// Whichever comes first; empty: no such limit. Iterations and seconds count from the very
// beginning, over all resumed parts of a run.
struct Limits {
  std::optional<int64_t> iterations;
  std::optional<double> target;  // exploitability, in the game's chips
  std::optional<double> seconds;
  bool none() const { return !iterations && !target && !seconds; }
};

// A target as a person writes it: "0.01" chips or "0.1%" of the pot.
struct Target {
  double number = 0;
  bool percent = false;
  double chips(double pot) const { return percent ? number / 100 * pot : number; }
};
// Empty where it is neither or not above 0.
std::optional<Target> parse_target(std::string_view text);

struct HistoryPoint {
  int64_t iteration = 0;
  double seconds = 0;         // of solving, without the time that these measurements take
  double exploitability = 0;  // in the game's chips
  double value = 0;           // to player one
  friend bool operator==(const HistoryPoint&, const HistoryPoint&) = default;
};

// When, in seconds from the start, the run reaches `target` if exploitability goes on falling with
// the power of time of its last half; empty while that cannot be told.
std::optional<double> time_to_target(std::span<const HistoryPoint> points, double target);

// Seconds to the first limit that will be met, as far as can be told; empty beyond a year.
std::optional<double> time_left(const Limits& limits, int64_t iteration, double seconds,
                                std::span<const HistoryPoint> points);

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

// What `cleave solve` takes when nothing is asked for: measured best over the built-in games, see
// docs/solvers.md.
inline constexpr const char* kDefaultAlgorithm = "pcfr+";

// Of a run that nothing limits: the accuracy that its algorithm reaches in a moment, times the
// largest difference between two payoffs; none where the algorithm ends by itself.
void add_default_target(const Problem& problem, std::string_view algorithm, Limits& limits);

}  // namespace cleave::solve
