#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cleave::core {

// Comma-separated values as RFC 4180 has them, with LF or CRLF.

// In quotes where the field has a comma, a quote or a line break.
void append_csv_field(std::string& out, std::string_view field);

// The records of a text, one after another; empty lines are skipped. Both arguments must outlive
// the reader.
class CsvReader {
 public:
  // `path` stands in error messages.
  CsvReader(std::string_view text, const std::string& path);

  // Throws InputError unless the first record is `header`; `what` names the file's kind.
  void expect_header(std::string_view header, std::string_view what);

  // False at the end of the text; then line() is the last line.
  bool next(std::vector<std::string>& fields);

  // Where the latest record begins, from 1: a field in quotes may have line breaks.
  size_t line() const { return record_line_; }

  // Throw InputError `path:line: what`, by default with the line of the latest record.
  [[noreturn]] void fail(const std::string& what) const { fail_at(record_line_, what); }
  [[noreturn]] void fail_at(size_t line, std::string what) const;

 private:
  bool take_end_of_line();
  void read_field(std::string& field);

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t record_line_ = 1;
};

}  // namespace cleave::core
