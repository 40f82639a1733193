#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "core/hash.h"
#include "source_path.h"

// A room's behaviour signature: what a few runs end with, one named line each. It is the same on
// every x86 machine, with any compiler flags of ours and any number of threads; a change of it is a
// change of behaviour and belongs in the commit message. CLEAVE_UPDATE_GOLDEN=1 writes the new one.
namespace cleave {

class Signature {
 public:
  // Numbers that are to stay as they are to the last bit.
  void add(std::string_view name, std::span<const double> numbers) {
    core::Hasher hasher;
    hasher.add_bytes(std::as_bytes(numbers));
    lines_ += fmt::format("{} {:016x}\n", name, hasher.finish().lo);
  }
  // Every digit, so that a difference can be judged.
  void add(std::string_view name, double number) {
    lines_ += fmt::format("{} {:.17g}\n", name, number);
  }
  // What goes through the C library's functions, whose last bits are not the same everywhere.
  void add_rounded(std::string_view name, double number) {
    lines_ += fmt::format("{} {:.9f}\n", name, number);
  }

  // Against tests/ROOM/signature.txt.
  void expect_unchanged(std::string_view room) const {
    const std::string file = source_path(fmt::format("tests/{}/signature.txt", room));
    if (std::getenv("CLEAVE_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << lines_;
    EXPECT_EQ(lines_, core::read_file(file));
  }

 private:
  std::string lines_;
};

}  // namespace cleave
