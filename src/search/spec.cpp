#include "search/spec.h"

#include <fmt/format.h>

#include "core/error.h"

namespace cleave::search {
namespace {

[[noreturn]] void refuse(std::string_view text, size_t position, const char* expected) {
  throw core::InputError(
      fmt::format("cannot read '{}' at character {}: expected {}", text, position + 1, expected));
}

// The end of an argument that begins at `start`: the next ',' or ')' outside inner parentheses.
size_t argument_end(std::string_view text, size_t start) {
  int depth = 0;
  for (size_t i = start; i < text.size(); ++i) {
    if (depth == 0 && (text[i] == ',' || text[i] == ')')) return i;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  }
  refuse(text, text.size(), "')'");
}

}  // namespace

core::Call parse_nested_call(std::string_view text) {
  const size_t open = text.find('(');
  const size_t stray = text.find_first_of("),=");
  if (stray < open) refuse(text, stray, "a name, or a name and (parameter=value,...)");
  core::Call call{std::string(core::trim(text.substr(0, open))), {}};
  if (call.name.empty()) refuse(text, 0, "a name");
  if (open == std::string_view::npos) return call;
  size_t start = open + 1;
  while (true) {
    const size_t end = argument_end(text, start);
    const std::string_view argument = text.substr(start, end - start);
    const bool only_one = call.arguments.empty() && text[end] == ')';
    if (!(only_one && core::trim(argument).empty())) {
      const size_t equals = argument.find('=');
      if (equals == std::string_view::npos) refuse(text, start, "parameter=value");
      const std::string_view key = core::trim(argument.substr(0, equals));
      const std::string_view value = core::trim(argument.substr(equals + 1));
      if (key.empty()) refuse(text, start, "the name of a parameter before '='");
      if (value.empty()) refuse(text, end, "a value after '='");
      call.arguments.emplace_back(key, value);
    }
    start = end + 1;
    if (text[end] == ')') break;
  }
  if (!core::trim(text.substr(start)).empty()) refuse(text, start, "nothing after ')'");
  return call;
}

std::string take_text(core::Call& call, std::string_view name, std::string_view fallback) {
  for (auto at = call.arguments.begin(); at != call.arguments.end(); ++at) {
    if (at->first != name) continue;
    std::string value = std::move(at->second);
    call.arguments.erase(at);
    for (const auto& other : call.arguments) {
      if (other.first != name) continue;
      throw core::InputError(
          fmt::format("agent '{}': parameter '{}' is given twice", call.name, name));
    }
    return value;
  }
  return std::string(fallback);
}

}  // namespace cleave::search
