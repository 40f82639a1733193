#include "solve/limits.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"

namespace cleave::solve {

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

}  // namespace cleave::solve
