#include "core/scratch_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace cleave::core {

ScratchFile::ScratchFile(const std::string& folder) {
  std::string path = folder + "/cleave-XXXXXX";
  file_ = ::mkstemp(path.data());
  if (file_ < 0) {
    throw InputError(fmt::format("{}: no file can be made there: {}", folder, strerror(errno)));
  }
  ::unlink(path.c_str());
}

ScratchFile::~ScratchFile() { ::close(file_); }

size_t ScratchFile::add(size_t bytes) {
  const std::lock_guard lock(mutex_);
  end_ += bytes;
  return end_ - bytes;
}

void ScratchFile::write(size_t begin, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (done <= 0) throw RunError(fmt::format("a scratch file: {}", strerror(errno)));
    begin += static_cast<size_t>(done);
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
}

void ScratchFile::read(size_t begin, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (done <= 0) throw RunError(fmt::format("a scratch file: {}", strerror(errno)));
    begin += static_cast<size_t>(done);
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
}

}  // namespace cleave::core
