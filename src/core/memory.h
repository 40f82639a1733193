#pragma once

#include <cstddef>
#include <cstdint>

namespace cleave::core {

// The most memory that this process has held at any one time, the program's own code included.
size_t peak_process_bytes();

// Bytes that a new allocation can have without swapping, by the machine and by the control group
// that the program runs in.
uint64_t available_memory();

}  // namespace cleave::core
