#include "memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "fmt/format.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// "MemAvailable:   23894532 kB"
uint64_t machine_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t kilobytes = 0;
    if (words >> name >> kilobytes && name == "MemAvailable:") return kilobytes * 1024;
  }
  return kUnlimited;
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
  uint64_t cache = 0;
  std::ifstream stat(folder / "memory.stat");
  for (std::string name; stat >> name;) {
    uint64_t bytes = 0;
    stat >> bytes;
    if (name == "inactive_file") cache = bytes;
  }
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

[[noreturn]] void refuse_size(const hands::Problem& problem, const std::string& needed,
                              uint64_t there, bool packed_fits) {
  throw core::InputError(fmt::format(
      "{}: needs {} of memory and {} are free; use {}fewer bet sizes, or a larger machine",
      problem.name, needed, bytes_text(there), packed_fits ? "--storage i16, " : ""));
}

}  // namespace

uint64_t available_memory() { return std::min(machine_memory(), all_groups_memory()); }

PlannedLayout plan_solve(const hands::Problem& problem, const hands::SolverOptions& options) {
  const uint64_t there = available_memory();
  // Boards of whole games may be too many even to be listed.
  if (problem.pot == 0) {
    const hands::Counts least = hands::estimate(problem.setup);
    const double bytes = hands::least_bytes(least, options.storage);
    if (bytes > static_cast<double>(there) || !hands::can_sketch(least)) {
      const double packed = hands::least_bytes(least, hands::Storage::kI16);
      refuse_size(problem, "at least " + bytes_text(bytes), there,
                  hands::can_sketch(least) && packed <= static_cast<double>(there));
    }
  }
  PlannedLayout out{hands::sketch_layout(problem.setup), {}, {}};
  const auto plan = [&](hands::Storage storage) {
    return hands::plan_memory(out.sketch, storage, options.threads, options.algorithm);
  };
  out.plan = plan(options.storage);
  if (out.plan.total() > there) {
    refuse_size(problem, bytes_text(out.plan.total()), there,
                plan(hands::Storage::kI16).total() <= there);
  }
  out.counts = hands::count(out.sketch);
  return out;
}

}  // namespace cleave::cli
