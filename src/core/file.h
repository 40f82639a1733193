#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace cleave::core {

// In lower case and with its dot, ".csv"; empty where the name has none.
std::string extension_of(const std::string& path);

// Throws InputError naming the path and the reason.
std::string read_file(const std::string& path);

// Writes to a new file beside `path`, flushes it to disk and renames it: a reader or a crash sees
// the old content or the new one, never a part. Throws RunError naming the path and the reason.
void write_file_atomically(const std::string& path, std::span<const std::span<const char>> parts);
void write_file_atomically(const std::string& path,
                           const std::function<void(std::ostream&)>& write);

// The same for what others write: `make` gets the path of the new file. Only for regular files.
void replace_file(const std::string& path, const std::function<void(const std::string&)>& make);
// The first bytes of a file that is there; `shown` is what an error calls it.
void overwrite_beginning(const std::string& path, const std::string& shown,
                         std::span<const char> bytes);

// An open file, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int close();  // 0 or the error: some file systems report a failed write only here

 private:
  int fd_;
};

// A file read in pieces. Throws InputError naming `shown`.
class FileReader {
 public:
  FileReader(const std::string& path, std::string shown);

  uint64_t size() const { return size_; }
  void skip(uint64_t bytes);
  size_t read(std::span<char> to);  // as many as there are; 0 at the end

 private:
  std::string shown_;
  Descriptor fd_;
  uint64_t size_ = 0;
};

// A file's bytes without reading them: the system brings what is looked at. Throws InputError
// naming the path. The file may be replaced meanwhile, but not cut short.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace cleave::core
