#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "poker/spot.h"

// Typed access to the values of spots and games in TOML, with errors that say where and what is
// allowed.
namespace cleave::poker {

// TOML as plain data. Only toml.cpp includes the library, whose header takes long to compile.
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

// A value and what it is called in messages: "river.oop.bet".
struct Setting {
  const Toml* value = nullptr;
  std::string name;

  explicit operator bool() const { return value != nullptr; }
};

class SpotKeys {
 public:
  explicit SpotKeys(std::string_view file) : file_(file) {}

  template <class... Args>
  [[noreturn]] void fail(int line, fmt::format_string<Args...> message, Args&&... args) const {
    fail_with(line, fmt::format(message, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[noreturn]] void fail(const Setting& at, fmt::format_string<Args...> message,
                         Args&&... args) const {
    fail_with(at.value->line, fmt::format(message, std::forward<Args>(args)...));
  }
  std::string where(int line) const;                // "FILE:LINE"
  std::string where(const Setting& setting) const;  // "FILE:LINE: NAME"

  // Empty if the table is not given or does not have the key.
  Setting find(const Setting& table, const std::string& key) const;
  Setting require(const Setting& table, const std::string& key, std::string_view example) const;

  // Refuses what is not a table of these keys.
  void check_table(const Setting& table, const std::vector<std::string>& allowed) const;
  const std::string& text(const Setting& setting, std::string_view example) const;
  bool flag(const Setting& setting) const;
  Chips chips(const Setting& setting, Chips smallest) const;
  int64_t whole(const Setting& setting, int64_t low, int64_t high) const;
  double number(const Setting& setting, double low, double high) const;
  double fraction(const Setting& setting) const;  // "20%" or 0.2
  void check_list(const Setting& setting, std::string_view example) const;
  std::vector<std::string> texts(const Setting& setting, std::string_view example) const;

 private:
  [[noreturn]] void fail_with(int line, std::string message) const;
  [[noreturn]] void refuse_type(const Setting& setting, std::string_view allowed) const;
  std::string file_;
};

inline constexpr std::array<const char*, 3> kStreetNames = {"flop", "turn", "river"};

// The streets from the board's on, out of [sizes], [flop], [turn] and [river]. For each player and
// kind of size the first of these that is there: river.oop.bet, river.bet, sizes.oop.bet,
// sizes.bet. `spot` has its board, chips and smallest bet already.
std::vector<Betting::Street> read_streets(const SpotKeys& keys, const Setting& root,
                                          const Spot& spot);

}  // namespace cleave::poker
