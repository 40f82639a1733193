#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>

#include "core/file.h"

namespace cleave::core {

// A file without a name, gone with the process: where to put what is not needed all the time.
// Different parts may be read and written at once.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);  // throws InputError where it cannot be made

  size_t add(size_t bytes);  // a new part: where it begins
  // Throw RunError, as when the disk is full.
  void write(size_t begin, std::span<const std::byte> bytes);
  void read(size_t begin, std::span<std::byte> bytes) const;

 private:
  Descriptor file_;
  std::mutex mutex_;
  size_t end_ = 0;
};

}  // namespace cleave::core
