#include "core/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace cleave::core {

void append_csv_field(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

CsvReader::CsvReader(std::string_view text, const std::string& path) : text_(text), path_(path) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // some spreadsheets write a byte order mark
}

void CsvReader::expect_header(std::string_view header, std::string_view what) {
  std::vector<std::string> fields;
  if (!next(fields) || fmt::format("{}", fmt::join(fields, ",")) != header) {
    fail(fmt::format("not the header of a {}; allowed is {}", what, header));
  }
}

bool CsvReader::next(std::vector<std::string>& fields) {
  while (at_ < text_.size() && take_end_of_line()) {
  }
  record_line_ = line_;
  if (at_ == text_.size()) return false;
  size_t count = 0;
  while (true) {
    if (count == fields.size()) fields.emplace_back();
    read_field(fields[count++]);
    if (at_ == text_.size() || text_[at_] != ',') break;
    ++at_;
  }
  fields.resize(count);
  if (at_ < text_.size() && !take_end_of_line()) {
    fail("text after a closing quote; allowed is a comma or the end of the line");
  }
  return true;
}

void CsvReader::fail_at(size_t line, std::string what) const {
  // A field may have line breaks; a message has none.
  std::ranges::replace_if(
      what, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  reject("{}:{}: {}", path_, line, what);
}

// The end of the text may cut a CRLF in two.
bool CsvReader::take_end_of_line() {
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("\r\n")) {
    at_ += 2;
  } else if (rest.starts_with('\n') || rest == "\r") {
    at_ += 1;
  } else {
    return false;
  }
  ++line_;
  return true;
}

void CsvReader::read_field(std::string& field) {
  field.clear();
  if (at_ == text_.size() || text_[at_] != '"') {
    size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    const bool ends_line = end == text_.size() || text_[end] == '\n';
    if (ends_line && end > at_ && text_[end - 1] == '\r') --end;
    field = text_.substr(at_, end - at_);
    at_ = end;
    return;
  }
  for (++at_;; ++at_) {
    if (at_ == text_.size()) fail("a quote that is not closed; allowed are pairs of quotes");
    if (text_[at_] == '"' && (++at_ == text_.size() || text_[at_] != '"')) return;
    if (text_[at_] == '\n') ++line_;
    field.push_back(text_[at_]);
  }
}

}  // namespace cleave::core
