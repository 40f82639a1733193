#include "poker/spot_keys.h"

#define TOML_ENABLE_FORMATTERS 0
// Version 3.3 asserts what a file can break ("[" at the end of a line) before it reports it.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "core/error.h"

namespace cleave::poker {
namespace {

int line_of(const toml::source_region& region, int fallback) {
  return region.begin ? static_cast<int>(region.begin.line) : fallback;
}

// Depth is bounded by the library's own limit on nested values.
Toml convert(const toml::node& node, int line) {  // NOLINT(misc-no-recursion)
  Toml value;
  value.line = line_of(node.source(), line);
  if (const auto* table = node.as_table()) {
    value.kind = Toml::Kind::kTable;
    // The library keeps keys sorted by name.
    std::vector<std::tuple<toml::source_position, std::string_view, const toml::node*>> members;
    for (const auto& [key, item] : *table) {
      members.emplace_back(key.source().begin, key.str(), &item);
    }
    std::sort(members.begin(), members.end(),
              [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
    for (const auto& [position, name, item] : members) {
      value.names.emplace_back(name);
      value.items.push_back(
          convert(*item, position ? static_cast<int>(position.line) : value.line));
      if (position) value.items.back().line = static_cast<int>(position.line);
    }
  } else if (const auto* list = node.as_array()) {
    value.kind = Toml::Kind::kList;
    for (const auto& item : *list) value.items.push_back(convert(item, value.line));
  } else if (const auto* text = node.as_string()) {
    value.kind = Toml::Kind::kText;
    value.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Toml::Kind::kWhole;
    value.whole = whole->get();
    value.real = static_cast<double>(value.whole);
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Toml::Kind::kReal;
    value.real = real->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.kind = Toml::Kind::kFlag;
    value.flag = flag->get();
  } else {
    value.kind = Toml::Kind::kTime;
  }
  return value;
}

// The position after the text that begins with a quote at `at`.
size_t end_of_text(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool multiline = text.substr(at, 3) == triple;
  const std::string_view close = multiline ? triple : text.substr(at, 1);
  for (at += close.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(close)) return at + close.size();
    if (text[at] == '\n' && !multiline) return at;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

// TOML has other letters in texts and comments only. Version 3.3 of the library refuses them too,
// but by way of undefined behaviour (is_non_ascii_horizontal_whitespace).
void refuse_other_letters(std::string_view text, std::string_view file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (size_t at = text.starts_with(kByteOrderMark) ? 3 : 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      at = end_of_text(text, at);
    } else if (static_cast<unsigned char>(text[at]) >= 128) {
      throw core::InputError(fmt::format(
          "{}:{}: not TOML: a letter other than a to z outside quotes and comments", file,
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
    } else {
      ++at;
    }
  }
}

}  // namespace

const Toml* Toml::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &items[static_cast<size_t>(found - names.begin())];
}

Toml parse_toml(std::string_view text, std::string_view file) {
  refuse_other_letters(text, file);
  try {
    const toml::table table = toml::parse(text, file);
    return convert(table, 1);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    for (char& c : what) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    throw core::InputError(
        fmt::format("{}:{}: not TOML: {}", file, line_of(error.source(), 1), what));
  }
}

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < ' ' || byte == 127) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace cleave::poker
