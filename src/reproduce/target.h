#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "report/chart.h"

// Reproductions: what a paper reports and what we measure, side by side. A target computes; it
// never contains the answer.
namespace cleave::reproduce {

// Text, a number (printed with four significant digits, written to CSV in full), or nothing.
struct Cell : std::variant<std::monostate, std::string, double> {
  Cell() = default;
  Cell(const char* text) : variant(text) {}
  Cell(std::string text) : variant(std::move(text)) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Cell(Number number)
      : variant(static_cast<double>(number)) {}
  Cell(std::optional<double> number) {
    if (number) emplace<double>(*number);
  }
};
// Nothing where there is nothing to say.
inline Cell cell_if(bool known, Cell cell) { return known ? std::move(cell) : Cell(); }

struct Table {
  std::string name;                  // of its CSV file: "exploitability"
  std::string title;                 // with the unit
  std::vector<std::string> columns;  // e.g. "method", "paper", "ours"
  std::vector<std::vector<Cell>> rows = {};
};

// A stated criterion and whether what was measured meets it.
struct Check {
  std::string criterion;
  std::string measured;
  bool passed = false;
};

struct NamedChart {
  std::string name;  // of its SVG file
  report::Chart chart;
};

struct Outcome {
  std::vector<Table> tables = {};
  std::vector<NamedChart> charts = {};
  std::vector<Check> checks = {};
  std::vector<std::string> notes = {};  // conventions, what differs from the paper and why
};

struct Context {
  bool quick = false;  // under a minute, for CI; criteria may be looser and say so
  int threads = 1;
  uint64_t seed = 1;
  size_t flops = 0;  // hold'em: so many flops instead of those that the target would take
  // Where long runs keep what is finished, to go on from there; empty: nowhere.
  std::string work;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string& line)> progress;  // may be empty

  void say(const std::string& line) const {
    if (progress) progress(line);
  }
  void check_stop() const;  // throws RunError once stopped
};

struct TargetInfo {
  std::string name;     // "burch-fig3"
  std::string source;   // paper and place in it
  std::string summary;  // one line
  Outcome (*run)(const Context& context);
};

const std::vector<TargetInfo>& all_targets();
const TargetInfo& find_target(std::string_view name);  // throws InputError listing the names

// All targets, each in the source of its name, which says what it is; registry.cpp lists them.

TargetInfo coin_toss();
TargetInfo rps();
TargetInfo burch_fig3();
TargetInfo burch_fig4();
TargetInfo burch_fig5();
TargetInfo jackson_leduc();
TargetInfo nested_leduc();
TargetInfo fpira_table();
TargetInfo fpira_fig2();
TargetInfo fpira_random();
TargetInfo cfr_ira_table();
TargetInfo bs_table1();  // this and the next three: bs_tables.cpp
TargetInfo bs_table2();
TargetInfo bs_table3();
TargetInfo bs_fig9();
TargetInfo bs_table4();

}  // namespace cleave::reproduce
