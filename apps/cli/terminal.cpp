#include "terminal.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "core/stopwatch.h"
#include "fmt/format.h"
#include "interrupt.h"

namespace cleave::cli {

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
