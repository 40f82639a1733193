#include <cmath>

#include "report/history.h"

namespace cleave::report {

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

}  // namespace cleave::report
