#include "games/efg_lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace cleave::games {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }
bool continues_number(char c) { return starts_number(c) || c == '/' || c == 'e' || c == 'E'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

template <class Predicate>
size_t run_length(std::string_view text, Predicate belongs) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

}  // namespace

EfgLexer::EfgLexer(std::string_view text, std::string_view file_name)
    : text_(text), file_name_(file_name) {
  if (text_.starts_with(kByteOrderMark)) first_ = position_ = kByteOrderMark.size();
  advance();
}

void EfgLexer::advance() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  next_ = {EfgTokenKind::kEnd, position_, {}};
  if (position_ == text_.size()) return;
  const std::string_view rest = text_.substr(position_);
  const char c = rest[0];
  if (c == '"') {
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
    if (end >= rest.size()) {
      fail(position_, "this string does not end; a closing quote is needed");
    }
    next_.kind = EfgTokenKind::kString;
    next_.text = rest.substr(1, end - 1);
    position_ += end + 1;
    return;
  }
  constexpr std::string_view kSigns = "{},";
  constexpr EfgTokenKind kOfSign[] = {EfgTokenKind::kOpen, EfgTokenKind::kClose,
                                      EfgTokenKind::kComma};
  size_t length = 1;
  if (const size_t sign = kSigns.find(c); sign != kSigns.npos) {
    next_.kind = kOfSign[sign];
  } else if (starts_number(c)) {
    next_.kind = EfgTokenKind::kNumber;
    length = run_length(rest, continues_number);
  } else if (is_letter(c)) {
    next_.kind = EfgTokenKind::kWord;
    length = run_length(rest, is_letter);
  } else {
    next_.kind = EfgTokenKind::kOther;
    length = 1 + run_length(rest.substr(1), continues_character);
  }
  next_.text = rest.substr(0, length);
  position_ += length;
}

void EfgLexer::fail_at(size_t offset, std::string_view message) const {
  // Only the one error of a file pays for counting its lines.
  size_t line = 1;
  size_t column = 1;
  for (size_t i = first_; i < offset; ++i) {
    const char c = text_[i];
    const bool is_crlf = c == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
    if (c == '\n' || (c == '\r' && !is_crlf)) {
      ++line;
      column = 1;
    } else if (!continues_character(c)) {
      ++column;
    }
  }
  core::reject("{}:{}:{}: {}", file_name_, line, column, message);
}

void EfgLexer::fail_expected(const EfgToken& found, std::string_view expected) const {
  if (found.kind == EfgTokenKind::kEnd) {
    fail(found.offset, "the file ends here; expected {}", expected);
  }
  const bool string = found.kind == EfgTokenKind::kString;
  fail(found.offset, "found {}{}{}; expected {}", string ? "the string \"" : "'",
       efg_shown(found.text), string ? '"' : '\'', expected);
}

std::string efg_unescape(std::string_view raw) {
  std::string label;
  label.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    const bool escapes =
        raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == '"' || raw[i + 1] == '\\');
    if (escapes) ++i;
    label += raw[i];
  }
  return label;
}

// A backslash is doubled only where it would otherwise escape something: Gambit knows no \\ and
// keeps both.
std::string efg_escape(std::string_view label) {
  std::string raw;
  raw.reserve(label.size());
  for (size_t i = 0; i < label.size(); ++i) {
    const bool last = i + 1 == label.size();
    const bool escapes = label[i] == '\\' && (last || label[i + 1] == '"' || label[i + 1] == '\\');
    if (escapes || label[i] == '"') raw += '\\';
    raw += label[i];
  }
  return raw;
}

std::string efg_shown(std::string_view text) {
  constexpr size_t kMost = 40;
  std::string_view shown = text.substr(0, kMost);
  if (shown.size() < text.size()) {  // cut between characters, not inside one
    size_t end = kMost;
    while (end > 0 && kMost - end < 4 && continues_character(text[end])) --end;
    shown = text.substr(0, end);
  }
  std::string result;
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02X}", byte);
    } else {
      result += c;
    }
  }
  if (shown.size() < text.size()) result += "...";
  return result;
}

}  // namespace cleave::games
