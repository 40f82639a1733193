#include "report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "core/csv.h"
#include "core/file.h"
#include "core/number.h"

namespace cleave::report {
namespace {

constexpr std::string_view kHeader = "game,algorithm,iteration,seconds,exploitability,value";
constexpr size_t kColumns = 6;

// A name never has line breaks of its own, so that a row is always a line.
void append_name(std::string& out, std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  core::append_csv_field(out, name);
}

template <class Number>
Number number(const core::CsvReader& csv, const std::vector<std::string>& row, size_t column,
              const char* allowed) {
  const auto value = core::parse_number<Number>(row[column]);
  if (!value) {
    csv.fail(fmt::format("'{}' in column {}; allowed is {}", row[column], column + 1, allowed));
  }
  return *value;
}

}  // namespace

void write_history_csv(const History& history, const std::string& path) {
  std::string names;
  append_name(names, history.game);
  names += ',';
  append_name(names, history.algorithm);
  core::write_file_atomically(path, [&](std::ostream& out) {
    out << kHeader << '\n';
    for (const HistoryPoint& p : history.points) {
      out << fmt::format("{},{},{},{},{}\n", names, p.iteration, p.seconds, p.exploitability,
                         p.value);
    }
  });
}

History read_history_csv(const std::string& path) {
  const std::string text = core::read_file(path);
  core::CsvReader csv(text, path);
  csv.expect_header(kHeader, "history");
  History history;
  std::vector<std::string> row;
  while (csv.next(row)) {
    if (row.size() != kColumns) {
      csv.fail(fmt::format("not {} columns; allowed are {}", kColumns, kHeader));
    }
    if (history.points.empty()) {
      history.game = row[0];
      history.algorithm = row[1];
    } else if (row[0] != history.game || row[1] != history.algorithm) {
      csv.fail(fmt::format("another run ({}, {}); allowed is one per file, here {}, {}", row[0],
                           row[1], history.game, history.algorithm));
    }
    history.points.push_back({.iteration = number<int64_t>(csv, row, 2, "a whole number"),
                              .seconds = number<double>(csv, row, 3, "a number"),
                              .exploitability = number<double>(csv, row, 4, "a number"),
                              .value = number<double>(csv, row, 5, "a number")});
  }
  return history;
}

}  // namespace cleave::report
