#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// When a run stops, and how long that will take.
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

}  // namespace cleave::solve
