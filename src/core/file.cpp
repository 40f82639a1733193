#include "core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/scratch_file.h"

namespace cleave::core {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw RunError(fmt::format("{}: cannot be written: {}", path, reason(error)));
}

void check_written(const std::string& path, int error) {
  if (error != 0) fail_to_write(path, error);
}

[[noreturn]] void fail_to_read(const std::string& path, int error) {
  reject("{}: cannot be read: {}", path, reason(error));
}

// 0 or the error.
int write_all(int fd, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return 0;
}

// A stream into a descriptor that keeps the reason why a write failed, which std::ofstream loses.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int fd) : fd_(fd), buffer_(1 << 16) { reset(); }

  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    if (error_ == 0) error_ = write_all(fd_, {pbase(), pptr()});
    reset();
    return error_ == 0 ? 0 : -1;
  }

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

// The new file beside the old one, until commit() puts it in its place.
class Replacement {
 public:
  explicit Replacement(std::string path) : path_(std::move(path)), fd_(open()) {}
  ~Replacement() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  int get() const { return fd_.get(); }
  const std::string& temporary() const { return temporary_; }

  void commit() {
    if (!temporary_.empty() && ::fsync(fd_.get()) != 0) fail_to_write(path_, errno);
    check_written(path_, fd_.close());
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(path_, errno);
    temporary_.clear();
    // The rename itself is on disk only once the directory is.
    const Descriptor directory(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Not every file system can do this, and the content is safe either way.
    if (directory.get() >= 0) ::fsync(directory.get());
  }

 private:
  int open() {
    // A link stays a link: what it points to is replaced.
    fs::path resolved = path_;
    std::error_code error;
    if (fs::is_symlink(resolved, error)) resolved = fs::weakly_canonical(resolved, error);
    if (resolved.empty()) fail_to_write(path_, error ? error.value() : ENOENT);
    target_ = resolved.string();
    directory_ = resolved.has_parent_path() ? resolved.parent_path().string() : ".";

    struct stat old = {};
    const bool exists = ::stat(target_.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) fail_to_write(path_, EISDIR);
    // Pipes and devices (/dev/stdout) are written to; to rename over them would destroy them.
    if (exists && !S_ISREG(old.st_mode)) {
      const int fd = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd < 0) fail_to_write(path_, errno);
      return fd;
    }
    const int fd = open_beside();
    // What others may read or not stays so. Without effect where the owner is another.
    if (exists) static_cast<void>(::fchmod(fd, old.st_mode & 07777));
    return fd;
  }

  // A name of its own, so that neither other writers nor what a crash left behind is in the way;
  // and a short one, since `path` itself may be as long as names can be.
  int open_beside() {
    static std::atomic<unsigned> counter = 0;
    while (true) {
      const std::string name =
          fmt::format("{}/.cleave-{}-{}.tmp", directory_, ::getpid(), counter++);
      const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0) {
        temporary_ = name;
        return fd;
      }
      if (errno != EEXIST && errno != EINTR) fail_to_write(path_, errno);
    }
  }

  std::string path_;       // as the caller names it
  std::string target_;     // with links followed
  std::string directory_;  // of the target
  std::string temporary_;  // empty where there is nothing to rename or to remove
  Descriptor fd_;
};

}  // namespace

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string read_file(const std::string& path) {
  FileReader file(path, path);
  // The size is only a first guess: pipes have none, and a file may grow meanwhile.
  std::string text(file.size() + 1, '\0');
  size_t size = 0;
  while (const size_t got = file.read(std::span(text).subspan(size))) {
    size += got;
    if (size == text.size()) text.resize(2 * size + 4096);
  }
  text.resize(size);
  return text;
}

void write_file_atomically(const std::string& path, std::span<const std::span<const char>> parts) {
  Replacement file(path);
  for (const auto part : parts) check_written(path, write_all(file.get(), part));
  file.commit();
}

void write_file_atomically(const std::string& path,
                           const std::function<void(std::ostream&)>& write) {
  Replacement file(path);
  DescriptorBuffer buffer(file.get());
  std::ostream out(&buffer);
  try {
    write(out);
    out.flush();
  } catch (...) {
    // A writer that notices the failed stream cannot know why it failed.
    check_written(path, buffer.error());
    throw;
  }
  check_written(path, buffer.error());
  if (!out) fail_to_write(path, EIO);
  file.commit();
}

void replace_file(const std::string& path, const std::function<void(const std::string&)>& make) {
  Replacement file(path);
  if (file.temporary().empty()) {
    throw RunError(fmt::format("{}: cannot be written: not a regular file", path));
  }
  make(file.temporary());
  file.commit();
}

void overwrite_beginning(const std::string& path, const std::string& shown,
                         std::span<const char> bytes) {
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (fd.get() < 0) fail_to_write(shown, errno);
  check_written(shown, write_all(fd.get(), bytes));
  check_written(shown, fd.close());
}

int Descriptor::close() {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

FileReader::FileReader(const std::string& path, std::string shown)
    : shown_(std::move(shown)), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status = {};
  if (fd_.get() < 0 || ::fstat(fd_.get(), &status) != 0) fail_to_read(shown_, errno);
  if (S_ISDIR(status.st_mode)) fail_to_read(shown_, EISDIR);
  size_ = static_cast<uint64_t>(status.st_size);
}

void FileReader::skip(uint64_t bytes) {
  if (::lseek(fd_.get(), static_cast<off_t>(bytes), SEEK_CUR) < 0) fail_to_read(shown_, errno);
}

size_t FileReader::read(std::span<char> to) {
  size_t size = 0;
  while (size < to.size()) {
    const ssize_t got = ::read(fd_.get(), to.data() + size, to.size() - size);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail_to_read(shown_, errno);
    if (got > 0) size += static_cast<size_t>(got);
  }
  return size;
}

MappedFile::MappedFile(const std::string& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0) fail_to_read(path, errno);
  const auto size = static_cast<size_t>(status.st_size);
  void* at = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (at == MAP_FAILED) fail_to_read(path, errno);
  bytes_ = {static_cast<const std::byte*>(at), size};
}

MappedFile::~MappedFile() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap changes nothing in it
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

static int open_scratch(const std::string& folder) {
  std::string path = folder + "/cleave-XXXXXX";
  const int fd = ::mkstemp(path.data());
  if (fd < 0) reject("{}: no file can be made there: {}", folder, reason(errno));
  ::unlink(path.c_str());
  return fd;
}

ScratchFile::ScratchFile(const std::string& folder) : file_(open_scratch(folder)) {}

size_t ScratchFile::add(size_t bytes) {
  const std::lock_guard lock(mutex_);
  end_ += bytes;
  return end_ - bytes;
}

// `call`: pread or pwrite, which may do less than is asked for.
template <class Bytes, class Call>
static void transfer(int fd, size_t begin, Bytes bytes, const Call& call) {
  while (!bytes.empty()) {
    const ssize_t done = call(fd, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (done <= 0) throw RunError("a scratch file: " + reason(errno));
    begin += static_cast<size_t>(done);
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
}

void ScratchFile::write(size_t begin, std::span<const std::byte> bytes) {
  transfer(file_.get(), begin, bytes, ::pwrite);
}

void ScratchFile::read(size_t begin, std::span<std::byte> bytes) const {
  transfer(file_.get(), begin, bytes, ::pread);
}

}  // namespace cleave::core
