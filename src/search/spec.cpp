#include "search/spec.h"

#include <fmt/format.h>

#include "core/error.h"

namespace cleave::search {

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
