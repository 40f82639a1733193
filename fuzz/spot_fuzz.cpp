// Reads bytes as a spot file. What is accepted must survive writing and reading again; what is
// refused must be refused with file and line, in one line.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"
#include "poker/spot.h"

namespace {

[[noreturn]] void complain(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// fuzz:<line>: <message>
bool has_position(std::string_view message) {
  constexpr std::string_view kName = "fuzz:";
  if (!message.starts_with(kName) || message.find('\n') != message.npos) return false;
  message.remove_prefix(kName.size());
  const size_t digits = message.find_first_not_of("0123456789");
  return digits != 0 && digits != message.npos && message[0] != '0' &&
         message.substr(digits).starts_with(": ");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  cleave::poker::Spot spot;
  try {
    spot = cleave::poker::parse_spot(text, "fuzz");
  } catch (const cleave::core::InputError& error) {
    if (!has_position(error.what())) complain("an error without a position", error.what());
    return 0;
  }
  const std::string written = cleave::poker::to_text(spot);
  try {
    const cleave::poker::Spot again = cleave::poker::parse_spot(written, "written");
    if (again.ranges != spot.ranges) complain("ranges differ", written);
    // Everything else is compared as text: a spot's text says all that is in it.
    if (cleave::poker::to_text(again) != written) complain("the written spot differs", written);
  } catch (const cleave::core::InputError& error) {
    complain("what was written is refused", error.what());
  }
  return 0;
}
