#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// TOML as plain data. Only toml.cpp includes the library, whose header takes long to compile.
namespace cleave::poker {

struct Toml {
  enum class Kind : uint8_t { kText, kWhole, kReal, kFlag, kList, kTable, kTime };
  Kind kind = Kind::kTable;
  int line = 1;
  std::string text;
  int64_t whole = 0;
  double real = 0;  // also of a whole number
  bool flag = false;
  std::vector<Toml> items;         // of a list or a table
  std::vector<std::string> names;  // of a table's items, in the order of the file

  const Toml* find(std::string_view name) const;  // null if it is not there
};

// Throws InputError "FILE:LINE: ...".
Toml parse_toml(std::string_view text, std::string_view file);

// A text as TOML writes it: in quotes, with what needs it escaped.
std::string toml_text(std::string_view text);

}  // namespace cleave::poker
