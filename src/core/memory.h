#pragma once

#include <cstddef>

namespace cleave::core {

// The most memory that this process has held at any one time, the program's own code included.
size_t peak_process_bytes();

}  // namespace cleave::core
