#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cleave::games {

enum class EfgTokenKind : uint8_t { kWord, kNumber, kString, kOpen, kClose, kComma, kOther, kEnd };

struct EfgToken {
  EfgTokenKind kind = EfgTokenKind::kEnd;
  size_t offset = 0;      // of its first byte
  std::string_view text;  // of a string: what is between the quotes, still escaped
};

// Cuts the text into tokens and says where one was when something is wrong with it.
class EfgLexer {
 public:
  EfgLexer(std::string_view text, std::string_view file_name);

  const EfgToken& peek() const { return next_; }
  EfgToken take() {
    const EfgToken token = next_;
    advance();
    return token;
  }

  // Throw InputError `file:line:column: message`; the second form says what was found instead.
  template <class... Args>
  [[noreturn]] void fail(size_t offset, fmt::format_string<Args...> message, Args&&... args) const {
    fail_at(offset, fmt::format(message, std::forward<Args>(args)...));
  }
  [[noreturn]] void fail_expected(const EfgToken& found, std::string_view expected) const;

 private:
  void advance();
  [[noreturn]] void fail_at(size_t offset, std::string_view message) const;

  std::string_view text_;
  std::string_view file_name_;
  size_t first_ = 0;  // past the byte order mark
  size_t position_ = 0;
  EfgToken next_;
};

// The inside of a string token without its escapes, and what to put between quotes for a label.
std::string efg_unescape(std::string_view raw);
std::string efg_escape(std::string_view label);

// Text from a file as an error message may show it: cut to 40 bytes, on one line, printable.
std::string efg_shown(std::string_view text);

}  // namespace cleave::games
