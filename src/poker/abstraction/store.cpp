#include "poker/abstraction/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace cleave::poker {
namespace {

// The file: this, the spec, the buckets, the centres.
struct BucketHeader {
  std::array<char, 16> magic = {'c', 'l', 'e', 'a', 'v', 'e', ' ', 'b',
                                'u', 'c', 'k', 'e', 't', 's', ' ', '1'};
  uint64_t seed = 0;
  uint64_t board_cards = 0;
  uint64_t buckets = 0;
  uint64_t classes = 0;
  uint64_t dimensions = 0;
  uint64_t num_centre_values = 0;
  uint64_t spec_length = 0;
  std::array<uint64_t, 2> checksum = {};  // of everything but itself
};

std::array<uint64_t, 2> checksum_of(BucketHeader header,
                                    std::span<const std::span<const char>> parts) {
  header.checksum = {};
  core::Hasher hasher;
  hasher.add_bytes(std::as_bytes(std::span(&header, 1)));
  for (const std::span<const char> part : parts) hasher.add_bytes(std::as_bytes(part));
  const core::Hash128 hash = hasher.finish();
  return {hash.hi, hash.lo};
}

template <typename T>
std::span<const char> chars_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// What follows the header.
std::array<std::span<const char>, 3> parts_of(std::string_view spec, const Buckets& buckets) {
  return {spec, chars_of(buckets.bucket), chars_of(buckets.centres)};
}

// Takes so many values off the front of `bytes`, if they are there.
template <typename T>
bool take_values(std::string_view& bytes, uint64_t count, std::vector<T>& values) {
  if (count > bytes.size() / sizeof(T)) return false;
  values.resize(count);
  if (count != 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

std::optional<Buckets> read_buckets(std::string_view bytes, std::string_view spec, uint64_t seed) {
  BucketHeader header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (header.magic != BucketHeader{}.magic || header.seed != seed) return std::nullopt;
  if (header.spec_length != spec.size() || !bytes.starts_with(spec)) return std::nullopt;
  bytes.remove_prefix(spec.size());

  Buckets buckets{.board_cards = static_cast<int>(header.board_cards),
                  .count = static_cast<uint32_t>(header.buckets),
                  .dimensions = static_cast<int>(header.dimensions)};
  if (!take_values(bytes, header.classes, buckets.bucket) ||
      !take_values(bytes, header.num_centre_values, buckets.centres) || !bytes.empty()) {
    return std::nullopt;
  }
  if (header.checksum != checksum_of(header, parts_of(spec, buckets))) return std::nullopt;
  return buckets;
}

}  // namespace

std::string bucket_path(const std::string& folder, const std::string& spec, uint64_t seed) {
  std::string name = spec;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '(' || c == ',' || c == '/'; }, '-');
  std::erase(name, ')');
  return fmt::format("{}/{}-seed={}.buckets", folder, name, seed);
}

std::optional<Buckets> load_buckets(const std::string& folder, const std::string& spec,
                                    uint64_t seed) {
  try {
    return read_buckets(core::read_file(bucket_path(folder, spec, seed)), spec, seed);
  } catch (const core::InputError&) {
    return std::nullopt;  // not there, or not to be read: it is made and written again
  }
}

void save_buckets(const std::string& folder, const std::string& spec, uint64_t seed,
                  const Buckets& buckets) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw core::RunError(fmt::format("{}: cannot be made: {}", folder, error.message()));
  }
  BucketHeader header{.seed = seed,
                      .board_cards = static_cast<uint64_t>(buckets.board_cards),
                      .buckets = buckets.count,
                      .classes = buckets.bucket.size(),
                      .dimensions = static_cast<uint64_t>(buckets.dimensions),
                      .num_centre_values = buckets.centres.size(),
                      .spec_length = spec.size()};
  const auto parts = parts_of(spec, buckets);
  header.checksum = checksum_of(header, parts);
  const std::span bytes(reinterpret_cast<const char*>(&header), sizeof header);
  const std::array<std::span<const char>, 4> file = {bytes, parts[0], parts[1], parts[2]};
  core::write_file_atomically(bucket_path(folder, spec, seed), file);
}

}  // namespace cleave::poker
