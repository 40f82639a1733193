#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "tree/tree.h"

// How numbers, tables and progress look on a terminal. Lines fit 100 columns.
namespace cleave::cli {

inline constexpr size_t kScreenColumns = 100;

using core::bytes_text;
using core::grouped;
using core::rate_text;
using core::seconds_text;
std::string clipped(std::string_view text, size_t columns);  // "a long te..." where it must
std::string signed_text(double value);                       // "-0.085606424", with a sign

// Progress on standard error: a line that is redrawn on a terminal, else a plain line now and then.
// Nothing when quiet.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& line, double seconds);
  void clear();
  // A line that stays.
  void note(const std::string& line);

 private:
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  double next_plain_ = 2;  // seconds: plain lines come ever more rarely
};

// Says on standard error how far compiling is, for games that take longer than a moment; stops when
// the user interrupts.
tree::CompileOptions compile_options(Progress& progress);

}  // namespace cleave::cli
