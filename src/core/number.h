#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace cleave::core {

// A whole text as one number; empty where it is none, does not fit or has anything else in it.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

}  // namespace cleave::core
