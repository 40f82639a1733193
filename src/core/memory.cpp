#include "core/memory.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace cleave::core {

size_t peak_process_bytes() {
  // "VmHWM:    12345 kB". getrusage() would do, but on Linux it counts what a process was before it
  // became this program too: started by a large one, it has that one's peak.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    size_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace cleave::core
