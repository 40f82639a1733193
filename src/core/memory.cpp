#include "core/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace cleave::core {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// The number behind a word: "MemAvailable:   23894532 kB".
std::optional<uint64_t> number_after(const std::filesystem::path& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string at; file >> at;) {
    uint64_t number = 0;
    if (at == word && file >> number) return number;
  }
  return std::nullopt;
}

std::optional<uint64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  uint64_t number = 0;
  if (!(file >> number)) return std::nullopt;  // "max" too
  return number;
}

// What a group may still have: its limit less what it uses, caches apart, which go when needed.
uint64_t group_memory(const std::filesystem::path& folder) {
  const auto limit = number_in(folder / "memory.max");
  const auto used = number_in(folder / "memory.current");
  if (!limit || !used) return kUnlimited;
  const uint64_t cache = number_after(folder / "memory.stat", "inactive_file").value_or(0);
  return *limit - std::min(*limit, *used - std::min(*used, cache));
}

// The second version of control groups, this one and those above it: "0::/user.slice/...".
uint64_t all_groups_memory() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  uint64_t least = group_memory(root);
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::filesystem::path at = line.substr(4); !at.empty(); at = at.parent_path()) {
      least = std::min(least, group_memory(root / at));
    }
  }
  return least;
}

}  // namespace

uint64_t available_memory() {
  const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:");
  return std::min(kilobytes ? *kilobytes * 1024 : kUnlimited, all_groups_memory());
}

size_t peak_process_bytes() {
  // "VmHWM:    12345 kB". getrusage() would do, but on Linux it counts what a process was before it
  // became this program too: started by a large one, it has that one's peak.
  if (const auto kilobytes = number_after("/proc/self/status", "VmHWM:")) return *kilobytes * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace cleave::core
