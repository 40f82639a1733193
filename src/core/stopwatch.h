#pragma once

#include <chrono>

namespace cleave::core {

// Seconds of work, with pauses; begins paused at the given reading.
class Stopwatch {
 public:
  explicit Stopwatch(double seconds = 0) : before_(seconds) {}
  static Stopwatch started() {
    Stopwatch watch;
    watch.start();
    return watch;
  }

  void start() {
    started_ = Clock::now();
    running_ = true;
  }
  void pause() {
    before_ = seconds();
    running_ = false;
  }
  double seconds() const {
    if (!running_) return before_;
    return before_ + std::chrono::duration<double>(Clock::now() - started_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double before_ = 0;
  bool running_ = false;
  Clock::time_point started_;
};

}  // namespace cleave::core
