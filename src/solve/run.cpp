#include "solve/run.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"
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
      : problem_(problem), solver_(solver), work_(problem, threads) {}
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

std::optional<Target> parse_target(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const auto number = core::parse_number<double>(text);
  if (!number || !std::isfinite(*number) || *number <= 0) return std::nullopt;
  return Target{*number, percent};
}

std::optional<double> time_to_target(std::span<const HistoryPoint> points, double target) {
  constexpr size_t kFewest = 8;
  if (points.size() < kFewest || !(target > 0)) return std::nullopt;
  // Least squares of log exploitability against log seconds over the last half of the points.
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const HistoryPoint& point : points.subspan(points.size() / 2)) {
    if (!(point.seconds > 0) || !(point.exploitability > 0)) continue;
    const double x = std::log(point.seconds);
    const double y = std::log(point.exploitability);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  if (n < 2 || !(slope < 0)) return std::nullopt;
  const double at = (std::log(target) - (sy - slope * sx) / n) / slope;
  const double seconds = std::exp(at);
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

std::optional<double> time_left(const Limits& limits, int64_t iteration, double seconds,
                                std::span<const HistoryPoint> points) {
  constexpr double kForever = 3e7;  // a year: longer than that is no forecast
  std::optional<double> left;
  const auto consider = [&](double value) {
    if (value >= 0 && value <= kForever && (!left || value < *left)) left = value;
  };
  if (limits.iterations) {
    consider(seconds * static_cast<double>(*limits.iterations - iteration) /
             static_cast<double>(std::max<int64_t>(iteration, 1)));
  }
  if (limits.seconds) consider(*limits.seconds - seconds);
  if (limits.target) {
    if (const auto end = time_to_target(points, *limits.target)) consider(*end - seconds);
  }
  return left;
}

const char* to_string(Stopped stopped) {
  constexpr const char* kNames[] = {"finished", "target", "iterations", "seconds", "interrupted"};
  return kNames[static_cast<size_t>(stopped)];
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
