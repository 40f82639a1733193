#pragma once

#include <atomic>

namespace cleave::cli {

// Set by Ctrl-C (or SIGTERM) after catch_interrupts(); a second one ends the program at once.
const std::atomic<bool>& interrupted();
void catch_interrupts();

}  // namespace cleave::cli
