#include "core/units.h"

#include <fmt/format.h>

#include <cmath>

namespace cleave::core {

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t sign = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  if (bytes >= 1e6) return fmt::format("{:.3g} {}", bytes, units[unit]);
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::string rate_text(double per_second) {
  return per_second < 10 ? fmt::format("{:.1f}", per_second)
                         : grouped(static_cast<int64_t>(per_second));
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 6000) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace cleave::core
