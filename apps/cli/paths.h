#pragma once

#include <string>

namespace cleave::cli {

// Throws InputError unless a file could be written at `path` as far as its name goes: wrong names
// are found before hours of work, not after. An empty path is nothing to write.
void check_place(const std::string& path);

}  // namespace cleave::cli
