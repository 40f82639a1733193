#include "report/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <string_view>

#include "core/error.h"
#include "core/file.h"

namespace cleave::report {
namespace {

constexpr std::string_view kHeader = "game,algorithm,iteration,seconds,exploitability,value";
constexpr size_t kColumns = 6;

// As RFC 4180 has it. A name never has line breaks of its own, so that a row is always a line.
std::string quoted(std::string_view name) {
  std::string out(name);
  std::ranges::replace_if(
      out, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (out.find_first_of(",\"") == std::string::npos) return out;
  for (size_t i = 0; (i = out.find('"', i)) != std::string::npos; i += 2) out.insert(i, 1, '"');
  return '"' + out + '"';
}

class Row {
 public:
  Row(const std::string& path, size_t number, std::string_view line)
      : path_(path), number_(number) {
    while (true) {
      if (count_ == kColumns) fail_to_fit();
      std::string& field = fields_[count_++];
      line = take_field(line, field);
      if (line.empty()) break;
      line.remove_prefix(1);
    }
    if (count_ != kColumns) fail_to_fit();
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw core::InputError(fmt::format("{}:{}: {}", path_, number_, what));
  }
  const std::string& text(size_t column) const { return fields_[column]; }

  template <class Number>
  Number number(size_t column, const char* allowed) const {
    const std::string& field = fields_[column];
    const char* end = field.data() + field.size();
    Number value{};
    const auto [rest, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc() || rest != end) {
      fail(fmt::format("'{}' in column {}; allowed is {}", field, column + 1, allowed));
    }
    return value;
  }

 private:
  [[noreturn]] void fail_to_fit() const {
    fail(fmt::format("not {} columns; allowed are {}", kColumns, kHeader));
  }

  // Returns what follows the field: nothing, or a comma and more.
  std::string_view take_field(std::string_view line, std::string& field) const {
    if (!line.starts_with('"')) {
      const size_t end = std::min(line.find(','), line.size());
      field = line.substr(0, end);
      return line.substr(end);
    }
    size_t at = 1;
    while (true) {
      const size_t quote = line.find('"', at);
      if (quote == std::string_view::npos) fail("a quote that is not closed; allowed are pairs");
      field += line.substr(at, quote - at);
      at = quote + 1;
      if (at == line.size() || line[at] == ',') return line.substr(at);
      if (line[at] != '"') fail("text after a closing quote; allowed is a comma");
      field += '"';
      ++at;
    }
  }

  const std::string& path_;
  size_t number_;
  size_t count_ = 0;
  std::array<std::string, kColumns> fields_;
};

HistoryPoint point_of(const Row& row) {
  constexpr const char* kReal = "a number";
  HistoryPoint point;
  point.iteration = row.number<int64_t>(2, "a whole number");
  point.seconds = row.number<double>(3, kReal);
  point.exploitability = row.number<double>(4, kReal);
  point.value = row.number<double>(5, kReal);
  return point;
}

}  // namespace

void write_history_csv(const History& history, const std::string& path) {
  const std::string names = quoted(history.game) + "," + quoted(history.algorithm);
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
  History history;
  std::string_view rest = text;
  bool header_seen = false;
  for (size_t number = 1; !rest.empty() || !header_seen; ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!header_seen) {
      if (line != kHeader) {
        throw core::InputError(fmt::format("{}:{}: not the header of a history; allowed is {}",
                                           path, number, kHeader));
      }
      header_seen = true;
      continue;
    }
    if (line.empty()) continue;
    const Row row(path, number, line);
    if (history.points.empty()) {
      history.game = row.text(0);
      history.algorithm = row.text(1);
    } else if (row.text(0) != history.game || row.text(1) != history.algorithm) {
      row.fail(fmt::format("another run ({}, {}); allowed is one per file, here {}, {}",
                           row.text(0), row.text(1), history.game, history.algorithm));
    }
    history.points.push_back(point_of(row));
  }
  return history;
}

}  // namespace cleave::report
