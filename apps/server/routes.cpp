#include "server/routes.h"

#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "fmt/format.h"

namespace cleave::server {
namespace {

[[noreturn]] void refuse_argument(const std::string& name, const std::string& allowed) {
  throw core::InputError(fmt::format("{}: allowed is {}", name, allowed));
}

// The text itself is no part of a message: it may be long.
std::string checked_text(const Json& value, const std::string& name, size_t longest) {
  if (!value.is_string()) refuse_argument(name, "a text");
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > longest) {
    refuse_argument(name,
                    fmt::format("a text of up to {} bytes; this has {}", longest, text.size()));
  }
  if (text.find('\0') != std::string::npos) refuse_argument(name, "a text without zero bytes");
  return text;
}

// A query has texts only, so numbers may be texts.
std::optional<double> as_number(const Json& value) {
  std::optional<double> number;
  if (value.is_number()) number = value.get<double>();
  if (value.is_string()) number = core::parse_number<double>(value.get_ref<const std::string&>());
  if (number && !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::optional<int64_t> as_whole(const Json& value) {
  constexpr double kExact = 9007199254740992;  // 2^53: larger doubles are not one whole number
  if (value.is_string()) return core::parse_number<int64_t>(value.get_ref<const std::string&>());
  if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) return std::nullopt;
  if (value.is_number_integer()) return value.get<int64_t>();
  const auto number = as_number(value);
  if (!number || std::abs(*number) > kExact || *number != std::floor(*number)) return std::nullopt;
  return static_cast<int64_t>(*number);
}

const Json& checked_list(const Json& value, const std::string& name, size_t most) {
  if (!value.is_array()) refuse_argument(name, "a list");
  if (value.size() > most) {
    refuse_argument(name, fmt::format("a list of up to {}; this has {}", most, value.size()));
  }
  return value;
}

}  // namespace

Arguments::Arguments(const std::map<std::string, std::string>& query) : values_(Json::object()) {
  for (const auto& [name, text] : query) values_[name] = text;
}

Arguments::Arguments(Json body) : values_(std::move(body)) {
  if (!values_.is_object()) throw core::InputError("the body: allowed is a JSON object");
}

bool Arguments::has(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() && !found->is_null();
}

const Json& Arguments::find(const std::string& name) const {
  if (!has(name)) throw core::InputError(fmt::format("{}: missing", name));
  return values_.at(name);
}

std::string Arguments::text(const std::string& name, size_t longest) const {
  return checked_text(find(name), name, longest);
}

std::string Arguments::text_or(const std::string& name, const std::string& fallback,
                               size_t longest) const {
  return has(name) ? text(name, longest) : fallback;
}

int64_t Arguments::whole(const std::string& name, int64_t low, int64_t high) const {
  const auto value = as_whole(find(name));
  if (!value || *value < low || *value > high) {
    refuse_argument(name, fmt::format("a whole number from {} to {}", low, high));
  }
  return *value;
}

int64_t Arguments::whole_or(const std::string& name, int64_t fallback, int64_t low,
                            int64_t high) const {
  return has(name) ? whole(name, low, high) : fallback;
}

double Arguments::number(const std::string& name, double low, double high) const {
  const auto value = as_number(find(name));
  if (!value || *value < low || *value > high) {
    refuse_argument(name, fmt::format("a number from {} to {}", low, high));
  }
  return *value;
}

bool Arguments::flag_or(const std::string& name, bool fallback) const {
  if (!has(name)) return fallback;
  const Json& value = find(name);
  if (value == "true" || value == true) return true;
  if (value == "false" || value == false) return false;
  refuse_argument(name, "true or false");
}

std::vector<std::string> Arguments::texts(const std::string& name, size_t most) const {
  std::vector<std::string> out;
  for (const Json& value : checked_list(find(name), name, most)) {
    out.push_back(checked_text(value, name, 4096));
  }
  return out;
}

std::vector<double> Arguments::numbers(const std::string& name, size_t most) const {
  std::vector<double> out;
  for (const Json& value : checked_list(find(name), name, most)) {
    const auto number = value.is_number() ? as_number(value) : std::nullopt;
    if (!number) refuse_argument(name, "a list of numbers");
    out.push_back(*number);
  }
  return out;
}

}  // namespace cleave::server
