#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rational.h"

namespace cleave::core {

// What a parameter is, for help texts and JSON: one row per parameter of a game or a solver.
struct ParamInfo {
  std::string name;
  std::string default_value;
  std::string help;
};

// Named values as a user wrote them: `leduc(ranks=4,bets=2:4)` or `--option alpha=1.5`. Each reader
// consumes its name; finish() refuses what nobody read. Every error names the parameter, the value,
// the owner ("game leduc") and what is allowed.
class Params {
 public:
  // `owner` stands in error messages, e.g. "game 'leduc'".
  Params(std::string owner, std::vector<std::pair<std::string, std::string>> values);

  int64_t integer(std::string_view name, int64_t fallback, int64_t low, int64_t high);
  double real(std::string_view name, double fallback, double low, double high);
  bool boolean(std::string_view name, bool fallback);  // true/false/yes/no/1/0
  std::string text(std::string_view name, std::string_view fallback);
  std::string choice(std::string_view name, std::string_view fallback,
                     const std::vector<std::string>& allowed);
  // Whole numbers separated by ':' (a comma separates parameters), e.g. "2:4".
  std::vector<int64_t> integers(std::string_view name, std::vector<int64_t> fallback, int64_t low,
                                int64_t high);
  // Whole numbers in lists separated by '/', e.g. "2:4/4:8".
  std::vector<std::vector<int64_t>> integer_lists(std::string_view name,
                                                  std::vector<std::vector<int64_t>> fallback,
                                                  int64_t low, int64_t high);
  // Exact numbers as Rational::parse() reads them ("1/3", "0.25"); several separated by ':'.
  Rational rational(std::string_view name, Rational fallback, double low, double high);
  std::vector<Rational> rationals(std::string_view name, std::vector<Rational> fallback, double low,
                                  double high);

  // Throws InputError for the first value nobody read; `known` lists what could have been said.
  void finish(const std::vector<ParamInfo>& known) const;

 private:
  const std::string* take(std::string_view name);
  // What parse(text) makes of the value; fails with `allowed` and the limits where it is nothing.
  template <class Value, class Parse>
  Value read(std::string_view name, Value fallback, const Parse& parse, const std::string& allowed);
  [[noreturn]] void fail(std::string_view name, const std::string& value,
                         const std::string& allowed) const;
  std::string owner_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<bool> read_;
};

std::string_view trim(std::string_view text);  // without white space at both ends

// How many characters must be changed, added or left out: to guess what was meant.
size_t edit_distance(std::string_view a, std::string_view b);

// "leduc(ranks=4,suits=3)" -> {"leduc", {{"ranks","4"},{"suits","3"}}}. A value may itself be a
// call: it is handed on as it stands. Throws InputError with the position of the first character
// that does not fit.
struct Call {
  std::string name;
  std::vector<std::pair<std::string, std::string>> arguments;
};
Call parse_call(std::string_view text);

// A value as the readers of Params take it back.
std::string param_text(int64_t value);
std::string param_text(int value);
std::string param_text(bool value);
std::string param_text(double value);
std::string param_text(const std::string& value);
std::string param_text(const Rational& value);
std::string param_text(const std::vector<int64_t>& values);
std::string param_text(const std::vector<Rational>& values);
std::string param_text(const std::vector<std::vector<int64_t>>& lists);

// Writes a call back without what equals its default, so that a canonical name stays short.
class CallWriter {
 public:
  explicit CallWriter(std::string name) : name_(std::move(name)) {}
  template <class T>
  CallWriter& add(const char* name, const T& value, const T& fallback) {
    if (value == fallback) return *this;
    arguments_ += (arguments_.empty() ? "" : ",") + std::string(name) + "=" + param_text(value);
    return *this;
  }
  std::string text() const { return arguments_.empty() ? name_ : name_ + "(" + arguments_ + ")"; }

 private:
  std::string name_;
  std::string arguments_;
};

}  // namespace cleave::core
