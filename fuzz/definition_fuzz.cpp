// Reads bytes as a .game file. Whatever is accepted must survive writing and reading again as the
// same definition, and its betting must build or be refused; whatever is refused must be refused
// with a line.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/poker/find_node.h"
#include "core/error.h"
#include "poker/betting.h"
#include "poker/definition.h"

namespace {

[[noreturn]] void complain(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// fuzz:<line>: <message>
bool has_line(std::string_view message) {
  constexpr std::string_view kName = "fuzz:";
  if (!message.starts_with(kName)) return false;
  message.remove_prefix(kName.size());
  const size_t digits = message.find_first_not_of("0123456789");
  if (digits == 0 || digits == message.npos || message[digits] != ':') return false;
  return message[0] != '0' && message.size() > digits + 2 && message.find('\n') == message.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cleave::poker;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Definition definition;
  try {
    definition = parse_definition(text, "fuzz");
  } catch (const cleave::core::InputError& error) {
    if (!has_line(error.what())) complain("an error without a line", error.what());
    return 0;
  }
  const std::string written = to_text(definition);
  try {
    if (to_text(parse_definition(written, "fuzz")) != written) {
      complain("the written definition differs", written);
    }
  } catch (const cleave::core::InputError& error) {
    complain("what was written is refused", error.what());
  }
  try {
    const BettingTree tree = build_betting_tree(make_betting(definition), {.max_nodes = 2000});
    for (uint32_t node = 0; node < tree.nodes.size(); node += 97) {
      if (find_node(tree, line_of(tree, node)) != node) complain("a lost node", written);
    }
  } catch (const cleave::core::InputError&) {
    // Most no-limit games are too large.
  }
  return 0;
}
