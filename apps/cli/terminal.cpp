#include "terminal.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "core/stopwatch.h"
#include "fmt/format.h"
#include "interrupt.h"

namespace cleave::cli {

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

std::string clipped(std::string_view text, size_t columns) {
  // Characters, not bytes: in UTF-8 a character goes on with bytes of the form 10xxxxxx.
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  size_t seen = 0;
  size_t keep = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (!begins(text[i])) continue;
    if (seen++ == columns - 3) keep = i;
  }
  return std::string(text.substr(0, seen > columns ? keep : text.size())) +
         (seen > columns ? "..." : "");
}

std::string signed_text(double value) {
  return fmt::format("{:+.9f}", std::abs(value) < 5e-10 ? 0.0 : value);
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& line, double seconds) {
  if (quiet_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line.substr(0, 99));
    std::fflush(stderr);
    drawn_ = true;
  } else if (seconds >= next_plain_) {
    fmt::print(stderr, "{}\n", line);
    next_plain_ = seconds * 1.5;
  }
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

void Progress::note(const std::string& line) {
  clear();
  fmt::print(stderr, "{}\n", line);
}

tree::CompileOptions compile_options(Progress& progress) {
  auto watch = std::make_shared<core::Stopwatch>();
  watch->start();
  tree::CompileOptions options;
  options.stop = &interrupted();
  options.progress = [&progress, watch](size_t histories) {
    const double seconds = watch->seconds();
    if (seconds < 0.5) return;
    progress.show(fmt::format("compiling: {} histories, {}",
                              grouped(static_cast<int64_t>(histories)), seconds_text(seconds)),
                  seconds);
  };
  return options;
}

}  // namespace cleave::cli
