#include "core/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/number.h"

namespace cleave::core {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

namespace {

// Every piece between separators, empty ones included, so that "2::4" is refused and not mended.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t end = text.find(separator);
    pieces.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::optional<int64_t> parse_integer(std::string_view text, int64_t low, int64_t high) {
  const auto value = parse_number<int64_t>(text);
  return value && *value >= low && *value <= high ? value : std::nullopt;
}

std::optional<double> parse_real(std::string_view text, double low, double high) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) && *value >= low && *value <= high ? value : std::nullopt;
}

std::optional<Rational> parse_rational(std::string_view text, double low, double high) {
  try {
    Rational value = Rational::parse(text);
    const double size = value.to_double();
    if (size >= low && size <= high) return value;
  } catch (const InputError&) {
    // The caller's message names the parameter and what is allowed, which says more.
  }
  return std::nullopt;
}

// All pieces or nothing.
template <class Value, class Parse>
std::optional<std::vector<Value>> parse_list(std::string_view text, char separator, Parse parse) {
  std::vector<Value> values;
  for (const std::string_view piece : split(text, separator)) {
    auto value = parse(piece);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

std::optional<std::vector<int64_t>> parse_integers(std::string_view text, int64_t low,
                                                   int64_t high) {
  return parse_list<int64_t>(
      text, ':', [&](std::string_view piece) { return parse_integer(piece, low, high); });
}

template <class Range>
std::string join(const Range& values, const char* separator) {
  std::string text;
  for (const auto& value : values) {
    if (&value != &*values.begin()) text += separator;
    text += param_text(value);
  }
  return text;
}

}  // namespace

Params::Params(std::string owner, std::vector<std::pair<std::string, std::string>> values)
    : owner_(std::move(owner)), values_(std::move(values)), read_(values_.size(), false) {
  for (size_t i = 0; i < values_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (values_[i].first != values_[j].first) continue;
      throw InputError(fmt::format("{}: parameter '{}' is given twice", owner_, values_[i].first));
    }
  }
}

const std::string* Params::take(std::string_view name) {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].first != name) continue;
    read_[i] = true;
    return &values_[i].second;
  }
  return nullptr;
}

void Params::fail(std::string_view name, const std::string& value,
                  const std::string& allowed) const {
  throw InputError(
      fmt::format("{}: parameter '{}' is '{}'; allowed is {}", owner_, name, value, allowed));
}

template <class Value, class Parse>
Value Params::read(std::string_view name, Value fallback, const Parse& parse,
                   const std::string& allowed) {
  const std::string* text = take(name);
  if (!text) return fallback;
  auto value = parse(*text);
  if (!value) fail(name, *text, allowed);
  return std::move(*value);
}

int64_t Params::integer(std::string_view name, int64_t fallback, int64_t low, int64_t high) {
  return read(
      name, fallback, [&](std::string_view text) { return parse_integer(text, low, high); },
      fmt::format("a whole number from {} to {}", low, high));
}

double Params::real(std::string_view name, double fallback, double low, double high) {
  return read(
      name, fallback, [&](std::string_view text) { return parse_real(text, low, high); },
      fmt::format("a number from {} to {}", low, high));
}

std::string Params::text(std::string_view name, std::string_view fallback) {
  const std::string* value = take(name);
  return value ? *value : std::string(fallback);
}

bool Params::boolean(std::string_view name, bool fallback) {
  const std::string* text = take(name);
  if (!text) return fallback;
  if (*text == "true" || *text == "yes" || *text == "1") return true;
  if (*text == "false" || *text == "no" || *text == "0") return false;
  fail(name, *text, "true or false");
}

std::string Params::choice(std::string_view name, std::string_view fallback,
                           const std::vector<std::string>& allowed) {
  const std::string* text = take(name);
  if (!text) return std::string(fallback);
  if (std::find(allowed.begin(), allowed.end(), *text) == allowed.end()) {
    fail(name, *text, "one of " + join(allowed, ", "));
  }
  return *text;
}

std::vector<int64_t> Params::integers(std::string_view name, std::vector<int64_t> fallback,
                                      int64_t low, int64_t high) {
  return read(
      name, std::move(fallback),
      [&](std::string_view text) { return parse_integers(text, low, high); },
      fmt::format("whole numbers from {} to {} separated by ':'", low, high));
}

std::vector<std::vector<int64_t>> Params::integer_lists(std::string_view name,
                                                        std::vector<std::vector<int64_t>> fallback,
                                                        int64_t low, int64_t high) {
  const auto parse = [&](std::string_view text) {
    return parse_list<std::vector<int64_t>>(
        text, '/', [&](std::string_view part) { return parse_integers(part, low, high); });
  };
  return read(
      name, std::move(fallback), parse,
      fmt::format("whole numbers from {} to {} separated by ':', lists of them separated by '/'",
                  low, high));
}

Rational Params::rational(std::string_view name, Rational fallback, double low, double high) {
  return read(
      name, std::move(fallback),
      [&](std::string_view text) { return parse_rational(text, low, high); },
      fmt::format("a number or fraction from {} to {}", low, high));
}

std::vector<Rational> Params::rationals(std::string_view name, std::vector<Rational> fallback,
                                        double low, double high) {
  const auto parse = [&](std::string_view text) {
    return parse_list<Rational>(
        text, ':', [&](std::string_view piece) { return parse_rational(piece, low, high); });
  };
  return read(name, std::move(fallback), parse,
              fmt::format("numbers or fractions from {} to {} separated by ':'", low, high));
}

void Params::finish(const std::vector<ParamInfo>& known) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (read_[i]) continue;
    std::vector<std::string> names;
    for (const ParamInfo& info : known) names.push_back(info.name);
    throw InputError(fmt::format("{} has no parameter '{}'; {}", owner_, values_[i].first,
                                 names.empty() ? "it has none" : "it has " + join(names, ", ")));
  }
}

namespace {

[[noreturn]] void refuse(std::string_view text, size_t position, const char* expected) {
  throw InputError(
      fmt::format("cannot read '{}' at character {}: expected {}", text, position + 1, expected));
}

// The first of these characters outside inner parentheses, from `start` on.
size_t find_outside(std::string_view text, std::string_view wanted, size_t start) {
  int depth = 0;
  for (size_t i = start; i < text.size(); ++i) {
    if (depth == 0 && wanted.find(text[i]) != wanted.npos) return i;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  }
  return text.npos;
}

}  // namespace

Call parse_call(std::string_view text) {
  const size_t open = text.find('(');
  const size_t stray = text.find_first_of("),=");
  if (stray < open) refuse(text, stray, "a name, or a name and (parameter=value,...)");
  Call call{std::string(trim(text.substr(0, open))), {}};
  if (call.name.empty()) refuse(text, 0, "a name");
  if (open == std::string_view::npos) return call;
  const size_t close = find_outside(text, ")", open + 1);
  if (close == std::string_view::npos) refuse(text, text.size(), "')'");
  if (!trim(text.substr(close + 1)).empty()) refuse(text, close + 1, "nothing after ')'");
  if (trim(text.substr(open + 1, close - open - 1)).empty()) return call;
  for (size_t start = open + 1; start <= close;) {
    const size_t end = find_outside(text, ",)", start);
    const std::string_view argument = text.substr(start, end - start);
    const size_t equals = argument.find('=');
    if (equals == std::string_view::npos) refuse(text, start, "parameter=value");
    const std::string_view key = trim(argument.substr(0, equals));
    const std::string_view value = trim(argument.substr(equals + 1));
    if (key.empty()) refuse(text, start, "the name of a parameter before '='");
    if (value.empty()) refuse(text, end, "a value after '='");
    const size_t bad = find_outside(argument, "=", equals + 1);
    if (bad != std::string_view::npos) refuse(text, start + bad, "',' or ')'");
    call.arguments.emplace_back(key, value);
    start = end + 1;
  }
  return call;
}

std::string param_text(int64_t value) { return fmt::to_string(value); }
std::string param_text(int value) { return fmt::to_string(value); }
std::string param_text(bool value) { return value ? "true" : "false"; }
std::string param_text(double value) { return fmt::format("{}", value); }
std::string param_text(const std::string& value) { return value; }
std::string param_text(const Rational& value) { return value.to_string(); }
std::string param_text(const std::vector<int64_t>& values) { return join(values, ":"); }
std::string param_text(const std::vector<Rational>& values) { return join(values, ":"); }
std::string param_text(const std::vector<std::vector<int64_t>>& lists) { return join(lists, "/"); }

}  // namespace cleave::core
