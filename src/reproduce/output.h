#pragma once

#include <string>
#include <vector>

#include "reproduce/target.h"

// How an outcome is shown and kept. All of it is text; only the apps print.
namespace cleave::reproduce {

inline constexpr size_t kColumns = 100;

// As a table shows it: four significant digits, whole numbers in full ("6,400,000").
std::string cell_text(const Cell& cell);

// Aligned and at most `columns` wide: numbers to the right, texts that are too long go on in the
// next line of their column.
std::string text_table(const Table& table, size_t columns = kColumns);
std::string markdown_table(const Table& table);
// Numbers in full: the shortest decimals that are the same doubles.
std::string csv_table(const Table& table);

// One line or more per criterion: PASS or MISS, what it is, what was measured.
std::string text_checks(const std::vector<Check>& checks, size_t columns = kColumns);

// "text" in lines of at most `columns`, all but the first indented.
std::string wrapped(std::string_view text, size_t columns, size_t indent = 0);

// No criterion stated is none met: a reproduction that promises nothing has not passed.
bool passed(const Outcome& outcome);
size_t num_missed(const Outcome& outcome);

struct Run {
  std::string command;  // as typed
  double seconds = 0;
  int threads = 1;
};

// The report that is kept: command, tables, criteria, notes and links to the pictures beside it.
std::string report_markdown(const TargetInfo& target, const Run& run, const Outcome& outcome);

// Into `folder`, which is made where it is missing: <target>.md, one CSV per table, one SVG per
// chart, each whole or not at all. Returns their names, the report first. Throws RunError.
std::vector<std::string> write_outcome(const TargetInfo& target, const Run& run,
                                       const Outcome& outcome, const std::string& folder);

}  // namespace cleave::reproduce
