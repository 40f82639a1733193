// Reads bytes as an .efg file. Whatever is accepted must survive writing and reading again as the
// same tree; whatever is refused must be refused with a position.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.h"
#include "games/efg.h"
#include "games/same_tree.h"

namespace {

using cleave::games::Game;

[[noreturn]] void complain(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// fuzz:<line>:<column>: <message>
bool has_position(std::string_view message) {
  constexpr std::string_view kName = "fuzz:";
  if (!message.starts_with(kName)) return false;
  message.remove_prefix(kName.size());
  for (int i = 0; i < 2; ++i) {
    const size_t digits = message.find_first_not_of("0123456789");
    if (digits == 0 || digits == message.npos || message[digits] != ':') return false;
    if (message[0] == '0') return false;
    message.remove_prefix(digits + 1);
  }
  return message.size() > 1 && message.find('\n') == message.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::unique_ptr<Game> game;
  try {
    game = cleave::games::read_efg(text, "fuzz");
  } catch (const cleave::core::InputError& error) {
    if (!has_position(error.what())) complain("an error without a position", error.what());
    return 0;
  }
  if (size > 4096) return 0;
  std::ostringstream written;
  cleave::games::write_efg(*game, "title", written);
  std::unique_ptr<Game> again;
  try {
    again = cleave::games::read_efg(written.str(), "written");
  } catch (const cleave::core::InputError& error) {
    complain("what was written is refused", error.what());
  }
  const std::string difference = cleave::games::tree_difference(*game, *again);
  if (!difference.empty()) complain("the written game differs", difference);
  return 0;
}
