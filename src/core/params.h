#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
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

// What there is, for errors: "one, two, three".
template <class Entries>
std::string names_of(const Entries& entries) {
  std::string names;
  for (const auto& entry : entries) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

// What limits a number of kind T: whole numbers are limited by whole numbers.
template <class T>
struct Limit {
  using Type = double;
};
template <>
struct Limit<int64_t> {
  using Type = int64_t;
};
template <class T>
struct Limit<std::vector<T>> : Limit<T> {};
template <class T>
using LimitOf = typename Limit<T>::Type;

// Named values as a user wrote them: `leduc(ranks=4,bets=2:4)` or `--option alpha=1.5`. Each reader
// consumes its name; finish() refuses what nobody read. Every error names the parameter, the value,
// the owner ("game leduc") and what is allowed.
class Params {
 public:
  // `owner` stands in error messages, e.g. "game 'leduc'".
  Params(std::string owner, std::vector<std::pair<std::string, std::string>> values);

  int64_t integer(std::string_view name, int64_t fallback, int64_t low, int64_t high) {
    return within(name, fallback, low, high);
  }
  double real(std::string_view name, double fallback, double low, double high) {
    return within(name, fallback, low, high);
  }
  bool boolean(std::string_view name, bool fallback);  // true/false/yes/no/1/0
  std::string text(std::string_view name, std::string_view fallback);
  std::string choice(std::string_view name, std::string_view fallback,
                     const std::vector<std::string>& allowed);
  // A number of whatever kind, or a list of them separated by ':' (a comma separates parameters),
  // e.g. "2:4", or of lists separated by '/', "2:4/4:8". Rationals are as Rational::parse() reads
  // them ("1/3", "0.25"). For int64_t, double, Rational and vectors of these.
  template <class T>
  T within(std::string_view name, T fallback, LimitOf<T> low, LimitOf<T> high);

  // The same, into where the default stands.
  template <class T>
  void read(std::string_view name, T& value, LimitOf<T> low, LimitOf<T> high) {
    value = within(name, std::move(value), low, high);
  }
  void read(std::string_view name, int& value, int64_t low, int64_t high) {
    value = static_cast<int>(integer(name, value, low, high));
  }
  void read(std::string_view name, bool& value) { value = boolean(name, value); }
  void read(std::string_view name, std::string& value, const std::vector<std::string>& allowed) {
    value = choice(name, value, allowed);
  }

  // Throws InputError for the first value nobody read; `known` lists what could have been said.
  void finish(const std::vector<ParamInfo>& known) const;

 private:
  const std::string* take(std::string_view name);
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
inline std::string param_text(const std::string& value) { return value; }
inline std::string param_text(const Rational& value) { return value.to_string(); }
template <class T>
requires std::is_arithmetic_v<T> std::string param_text(T value) {
  return fmt::format("{}", value);
}
template <class T>
std::string param_text(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(param_text(value));
  return fmt::format(
      "{}", fmt::join(texts, std::is_class_v<T> && !std::is_same_v<T, Rational> ? "/" : ":"));
}

// The parameters of a game stand in a struct that states each of them once, in
//   template <class Each> void list(const Each& each) { each(name, member, help, allowed...); }
// where `allowed` is what Params::read() takes. With the values that they have now:
template <class Struct>
std::vector<ParamInfo> describe_params(Struct values) {
  std::vector<ParamInfo> infos;
  values.list([&](const char* name, const auto& value, const char* help, const auto&...) {
    infos.push_back({name, param_text(value), help});
  });
  return infos;
}

template <class Struct>
Struct read_params(Params& params) {
  Struct values;
  values.list([&](const char* name, auto& value, const char*, const auto&... allowed) {
    params.read(name, value, allowed...);
  });
  return values;
}

// The call that read_params() takes them from, without what equals its default, so that a canonical
// name stays short.
template <class Struct>
std::string write_call(std::string name, const Struct& values) {
  const std::vector<ParamInfo> usual = describe_params(Struct{}), now = describe_params(values);
  std::vector<std::string> arguments;
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i].default_value == usual[i].default_value) continue;
    arguments.push_back(now[i].name + "=" + now[i].default_value);
  }
  return arguments.empty() ? name : fmt::format("{}({})", name, fmt::join(arguments, ","));
}

}  // namespace cleave::core
