#include "solve/run.h"

#include <algorithm>

#include "core/stopwatch.h"

namespace cleave::solve {
namespace {

constexpr double kProgressSeconds = 0.1;
constexpr double kLookSeconds = 1e-3;  // how often the clock is read

// One run: the loop, and what has to be remembered from one iteration to the next.
class Run {
 public:
  Run(Runnable& task, const Limits& limits, const Hooks& hooks, Record& record)
      : task_(task),
        limits_(limits),
        hooks_(hooks),
        record_(record),
        watch_(record.seconds),
        check_(task.next_check(task.iterations())) {}

  RunResult go() {
    if (check_ == task_.iterations()) measure();  // a resumed run may be where it should stop
    watch_.start();
    std::optional<Stopped> reason = why_stop();
    while (!reason) {
      task_.iterate();
      if (task_.iterations() == check_ || task_.finished()) measure();
      if (++unseen_ >= stride_) look();
      reason = why_stop();
    }
    watch_.pause();
    if (measured_ != task_.iterations()) measure();
    record_.seconds = watch_.seconds();
    return {*reason, certificate_};
  }

 private:
  void measure() {
    watch_.pause();  // the clock stands still while something other than solving is done
    certificate_ = task_.certify();
    measured_ = task_.iterations();
    check_ = task_.next_check(measured_ + 1);
    if (record_.history.empty() || record_.history.back().iteration < measured_) {
      record_.history.push_back(
          {measured_, watch_.seconds(), certificate_.exploitability, certificate_.value});
    }
    watch_.start();
  }

  std::optional<Stopped> why_stop() const {
    if (task_.finished()) return Stopped::kFinished;
    const int64_t t = task_.iterations();
    if (limits_.target && measured_ == t && certificate_.exploitability <= *limits_.target) {
      return Stopped::kTarget;
    }
    if (limits_.iterations && t >= *limits_.iterations) return Stopped::kIterations;
    if (hooks_.stop && hooks_.stop->load(std::memory_order_relaxed)) return Stopped::kInterrupted;
    if (limits_.seconds && seen_ >= *limits_.seconds) return Stopped::kSeconds;
    return std::nullopt;
  }

  // Reads the clock, which costs as much as an iteration of a tiny game: every stride_ iterations,
  // adapted so that it happens about every kLookSeconds.
  void look() {
    const double now = watch_.seconds();
    const double gap = (now - seen_) / static_cast<double>(unseen_);
    stride_ =
        std::max<int64_t>(1, gap > 0 ? static_cast<int64_t>(kLookSeconds / gap) : 2 * stride_);
    unseen_ = 0;
    seen_ = now;
    if (hooks_.progress && now - reported_ >= kProgressSeconds && !record_.history.empty()) {
      reported_ = now;
      hooks_.progress(task_.iterations(), now, record_.history.back());
    }
    if (hooks_.checkpoint && now - saved_ >= hooks_.checkpoint_seconds) {
      watch_.pause();
      record_.seconds = saved_ = watch_.seconds();
      hooks_.checkpoint(record_);
      watch_.start();
    }
  }

  Runnable& task_;
  const Limits& limits_;
  const Hooks& hooks_;
  Record& record_;
  core::Stopwatch watch_;
  Certificate certificate_;
  int64_t check_;          // the next iteration to measure after
  int64_t measured_ = -1;  // the last iteration measured after
  int64_t stride_ = 1;
  int64_t unseen_ = 0;  // iterations since the clock was read
  double seen_ = watch_.seconds();
  double reported_ = 0;
  double saved_ = watch_.seconds();
};

// A solver of the tree engine.
class SolverTask final : public Runnable {
 public:
  SolverTask(const Problem& problem, Solver& solver, int threads)
      : problem_(problem), solver_(solver), work_(problem) {
    work_.threads = threads;
  }
  void iterate() override { solver_.iterate(); }
  int64_t iterations() const override { return solver_.iterations(); }
  bool finished() const override { return solver_.finished(); }
  Certificate certify() override {
    for (size_t p = 0; p < 2; ++p) solver_.average_plan(p, work_.plan[p]);
    return solve::certify(problem_, work_);
  }
  int64_t next_check(int64_t iteration) const override { return solve::next_check(iteration); }

 private:
  const Problem& problem_;
  Solver& solver_;
  Workspace work_;
};

}  // namespace

const char* to_string(Stopped stopped) {
  switch (stopped) {
    case Stopped::kFinished:
      return "finished";
    case Stopped::kTarget:
      return "target";
    case Stopped::kIterations:
      return "iterations";
    case Stopped::kSeconds:
      return "seconds";
    case Stopped::kInterrupted:
      return "interrupted";
  }
  return "";
}

int64_t next_check(int64_t iteration) {
  int64_t check = 1;
  while (check < iteration) check = std::max(check + 1, check + check / 20);
  return check;
}

RunResult run(const Problem& problem, Solver& solver, const Limits& limits, int threads,
              const Hooks& hooks, Record& record) {
  SolverTask task(problem, solver, threads);
  return run(task, limits, hooks, record);
}

RunResult run(Runnable& task, const Limits& limits, const Hooks& hooks, Record& record) {
  return Run(task, limits, hooks, record).go();
}

}  // namespace cleave::solve
