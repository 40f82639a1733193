#include "server/workspace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "server/guard.h"

namespace cleave::server {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 1024;
constexpr size_t kLongestPart = 200;  // file systems take 255; extensions are added to names
constexpr ptrdiff_t kDeepestFolder = 16;
constexpr size_t kMostListed = 2000;
constexpr size_t kMostSeen = 200'000;  // a home folder must not keep the server busy for minutes

// Lists say what is allowed where a name is not.
std::string extension_list(std::initializer_list<const char*> extensions) {
  std::string out;
  for (const char* extension : extensions)
    out += (out.empty() ? "" : ", ") + std::string(extension);
  return out;
}

bool has_extension(std::string_view name, std::initializer_list<const char*> extensions) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(extensions, [&](const char* end) { return lower.ends_with(end); });
}

void check_part(std::string_view part, std::string_view name) {
  const auto refuse = [&](const char* why) {
    throw core::InputError(fmt::format("{}: {}", name, why));
  };
  if (part.empty()) refuse("a name has no empty parts, and no '/' at its ends");
  if (part == "." || part == "..") refuse("a name stays below the workspace: no '.' and no '..'");
  if (part.front() == '.') refuse("names that start with a dot are hidden and not for use here");
  if (part.size() > kLongestPart) {
    throw core::InputError(fmt::format("a part of a file's name has {} bytes; allowed are {}",
                                       part.size(), kLongestPart));
  }
}

// Whatever is refused here is refused before a file system hears of it.
void check_name(std::string_view name, std::initializer_list<const char*> extensions) {
  if (name.empty()) throw core::InputError("a file's name is missing");
  if (name.size() > kLongestName) {
    throw core::InputError(
        fmt::format("a file's name has {} bytes; allowed are {}", name.size(), kLongestName));
  }
  const auto strange = [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; };
  if (!is_utf8(name) || std::ranges::any_of(name, strange)) {
    throw core::InputError(
        "a file's name has characters that are not allowed: control characters, '\\' or bytes "
        "that are not UTF-8");
  }
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    check_part(name.substr(begin, end - begin), name);
    begin = end + 1;
  }
  if (std::ranges::count(name, '/') > kDeepestFolder) {
    throw core::InputError(fmt::format("{}: more than {} folders deep", name, kDeepestFolder));
  }
  if (!has_extension(name, extensions)) {
    throw core::InputError(
        fmt::format("{}: another kind of file; allowed are {}", name, extension_list(extensions)));
  }
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

// Up to 64 KiB from the beginning, and from the end.
std::string edges_of(const std::string& path) {
  constexpr size_t kEdge = 65536;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return "";
  std::string text(2 * kEdge, '\0');
  const off_t size = ::lseek(fd, 0, SEEK_END);
  const ssize_t head = ::pread(fd, text.data(), kEdge, 0);
  const off_t rest = std::max<off_t>(head, size - static_cast<off_t>(kEdge));
  const ssize_t tail = head < 0 ? 0 : ::pread(fd, text.data() + head, kEdge, rest);
  ::close(fd);
  text.resize(static_cast<size_t>(std::max<ssize_t>(head, 0) + std::max<ssize_t>(tail, 0)));
  return text;
}

// By what stands in the file: a glance, since whole checks take as long as reading all of it.
std::string archive_kind(const std::string& path) {
  const std::string text = edges_of(path);
  const auto holds = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (!text.starts_with("CLEAVE archive ")) return "";
  if (holds("cleave poker solution ")) return "solution";
  return holds("cleave checkpoint ") ? "" : "strategy";
}

std::string table_kind(const std::string& path) {
  const std::string text = edges_of(path);
  if (text.starts_with("player,infoset,action,probability")) return "strategy";
  return text.starts_with("game,algorithm,iteration,") ? "history" : "";
}

struct Candidate {
  std::string name;
  std::string path;
  int64_t bytes;
  int64_t modified;
};

// Regular files by their names; links count as what they lead to.
std::vector<Candidate> find_candidates(const fs::path& folder) {
  std::vector<Candidate> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (size_t seen = 0; !error && at != fs::end(at) && seen < kMostSeen; at.increment(error)) {
    ++seen;
    const fs::path& path = at->path();
    const std::string file = path.filename().string();
    if (file.starts_with('.') || at.depth() >= kDeepestFolder) at.disable_recursion_pending();
    if (file.starts_with('.') || !has_extension(file, {".toml", ".h5", ".csv", ".efg", ".game"})) {
      continue;
    }
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    out.push_back({path.lexically_relative(folder).generic_string(), path.string(), status.st_size,
                   status.st_mtime});
  }
  return out;
}

}  // namespace

std::string file_kind(const std::string& path) {
  const std::string extension = core::extension_of(path);
  if (extension == ".toml") return "spot";
  if (extension == ".efg" || extension == ".game") return "game";
  if (extension == ".csv") return table_kind(path);
  return extension == ".h5" ? archive_kind(path) : "";
}

Workspace::Workspace(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::is_directory(folder)) folder_ = fs::canonical(folder, error);
  if (folder_.empty()) {
    throw core::InputError(fmt::format("{}: cannot be used as a folder: {}", folder,
                                       error ? error.message() : "it is a file"));
  }
  if (::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
    throw core::InputError(fmt::format(
        "{}: not writable, and solutions are kept there; choose another folder", folder));
  }
}

// Every part that is there must lead to a place below the folder, links that lead nowhere none.
void Workspace::check_way(const fs::path& path, std::string_view name) const {
  fs::path way = folder_;
  for (const fs::path& part : path.lexically_relative(folder_)) {
    way /= part;
    std::error_code error;
    if (fs::symlink_status(way, error).type() == fs::file_type::not_found) return;
    const fs::path real = error ? fs::path() : fs::canonical(way, error);
    if (error || !is_below(real, folder_)) {
      throw core::InputError(fmt::format("{}: leads out of the workspace", name));
    }
  }
}

std::string Workspace::existing(std::string_view name,
                                std::initializer_list<const char*> extensions) const {
  if (name != kExampleFile || !has_extension(name, extensions)) check_name(name, extensions);
  const fs::path path = folder_ / name;
  check_way(path, name);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw Refusal(404, fmt::format("{}: there is no such file in the workspace", name));
  }
  return path.string();
}

std::string Workspace::place(std::string_view name, std::initializer_list<const char*> extensions,
                             bool overwrite) const {
  check_name(name, extensions);
  const fs::path path = folder_ / name;
  check_way(path, name);
  std::error_code error;
  if (fs::exists(path, error)) {
    if (!fs::is_regular_file(path, error)) {
      throw core::InputError(fmt::format("{}: is there and no file; choose another name", name));
    }
    if (!overwrite) {
      throw Refusal(409,
                    fmt::format("{}: is there already; choose another name, or replace it", name));
    }
  }
  fs::create_directories(path.parent_path(), error);
  if (!fs::is_directory(path.parent_path())) {
    throw core::InputError(fmt::format("{}: its folder cannot be made: {}", name,
                                       error ? error.message() : "there is a file of that name"));
  }
  return path.string();
}

std::string Workspace::name_of(const std::string& path) const {
  return fs::path(path).lexically_relative(folder_).generic_string();
}

Json Workspace::list() const {
  std::vector<Candidate> found = find_candidates(folder_);
  std::ranges::sort(found, [](const Candidate& a, const Candidate& b) {
    return a.modified != b.modified ? a.modified > b.modified : a.name < b.name;
  });
  Json files = Json::array();
  for (const Candidate& file : found) {
    if (files.size() == kMostListed) break;
    try {
      existing(file.name, {""});
    } catch (const std::exception&) {
      continue;  // a name that nobody could ask for
    }
    const std::string kind = file_kind(file.path);
    if (kind.empty()) continue;
    files.push_back(
        {{"file", file.name}, {"kind", kind}, {"bytes", file.bytes}, {"modified", file.modified}});
  }
  return {{"files", files}};
}

std::string stamp_of(const std::string& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  const auto size = std::filesystem::file_size(path, error);
  return fmt::format("{}@{}:{}", path, time.time_since_epoch().count(), size);
}

}  // namespace cleave::server
