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

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;

const char* allowed(const int64_t&) { return "a whole number from {} to {}"; }
const char* allowed(const double&) { return "a number from {} to {}"; }
const char* allowed(const Rational&) { return "a number or fraction from {} to {}"; }
const char* allowed(const std::vector<int64_t>&) {
  return "whole numbers from {} to {} separated by ':'";
}
const char* allowed(const std::vector<Rational>&) {
  return "numbers or fractions from {} to {} separated by ':'";
}
const char* allowed(const std::vector<std::vector<int64_t>>&) {
  return "whole numbers from {} to {} separated by ':', lists of them separated by '/'";
}

// False where the text is no such number or list, or outside the limits.
template <class T>
bool parse_within(std::string_view text, LimitOf<T> low, LimitOf<T> high, T& value) {
  if constexpr (kIsList<T>) {
    value.clear();
    return std::ranges::all_of(split(text, kIsList<typename T::value_type> ? '/' : ':'),
                               [&](std::string_view piece) {
                                 return parse_within(piece, low, high, value.emplace_back());
                               });
  } else if constexpr (std::is_same_v<T, Rational>) {
    try {
      value = Rational::parse(text);
    } catch (const InputError&) {
      return false;  // the caller's message says more
    }
    const double size = value.to_double();
    return size >= low && size <= high;
  } else {
    const auto number = parse_number<T>(text);
    value = number.value_or(0);
    return number && std::isfinite(static_cast<double>(value)) && value >= low && value <= high;
  }
}

[[noreturn]] void refuse(std::string_view text, size_t position, const char* expected) {
  reject("cannot read '{}' at character {}: expected {}", text, position + 1, expected);
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

Params::Params(std::string owner, std::vector<std::pair<std::string, std::string>> values)
    : owner_(std::move(owner)), values_(std::move(values)), read_(values_.size(), false) {
  for (size_t i = 0; i < values_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (values_[i].first != values_[j].first) continue;
      reject("{}: parameter '{}' is given twice", owner_, values_[i].first);
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
  reject("{}: parameter '{}' is '{}'; allowed is {}", owner_, name, value, allowed);
}

template <class T>
T Params::within(std::string_view name, T fallback, LimitOf<T> low, LimitOf<T> high) {
  const std::string* text = take(name);
  if (!text) return fallback;
  T value{};
  if (!parse_within(*text, low, high, value)) {
    fail(name, *text, fmt::format(fmt::runtime(allowed(value)), low, high));
  }
  return value;
}
template int64_t Params::within(std::string_view, int64_t, int64_t, int64_t);
template double Params::within(std::string_view, double, double, double);
template Rational Params::within(std::string_view, Rational, double, double);
template std::vector<int64_t> Params::within(std::string_view, std::vector<int64_t>, int64_t,
                                             int64_t);
template std::vector<Rational> Params::within(std::string_view, std::vector<Rational>, double,
                                              double);
template std::vector<std::vector<int64_t>> Params::within(std::string_view,
                                                          std::vector<std::vector<int64_t>>,
                                                          int64_t, int64_t);

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
  if (std::ranges::find(allowed, *text) == allowed.end()) {
    fail(name, *text, fmt::format("one of {}", fmt::join(allowed, ", ")));
  }
  return *text;
}

void Params::finish(const std::vector<ParamInfo>& known) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (read_[i]) continue;
    std::vector<std::string_view> names;
    for (const ParamInfo& info : known) names.push_back(info.name);
    reject("{} has no parameter '{}'; {}", owner_, values_[i].first,
           names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
  }
}

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

}  // namespace cleave::core
