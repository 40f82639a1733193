// Reads bytes as a hand range. What is accepted must print as a text that reads back to the same
// weights and is no longer than a list of all hands; what is refused must name the character.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"
#include "poker/range.h"

namespace {

using cleave::poker::Range;

[[noreturn]] void complain(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// fuzz: character <number>...
bool has_position(std::string_view message, size_t size) {
  constexpr std::string_view kStart = "fuzz: character ";
  if (!message.starts_with(kStart) || message.find('\n') != message.npos) return false;
  const unsigned long at = std::strtoul(message.data() + kStart.size(), nullptr, 10);
  return at >= 1 && at <= size + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Range range;
  try {
    range = cleave::poker::parse_range(text, "fuzz");
  } catch (const cleave::core::InputError& error) {
    if (!has_position(error.what(), size)) complain("an error without a position", error.what());
    return 0;
  }
  size_t listing = 0;
  for (const float weight : range.weight) {
    if (!(weight >= 0 && weight <= 1)) complain("a weight outside [0, 1]", text);
    if (weight > 0) listing += weight == 1 ? 5 : 14;  // "AhKh," and ":0.123456"
  }
  const std::string printed = cleave::poker::to_text(range);
  if (printed.size() > listing) complain("longer than a list of hands", printed);
  try {
    if (cleave::poker::parse_range(printed) != range) complain("reads back different", printed);
  } catch (const cleave::core::InputError& error) {
    complain("what was printed is refused", error.what());
  }
  return 0;
}
