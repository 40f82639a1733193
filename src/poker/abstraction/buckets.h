#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.h"

// Card abstraction: the hands of a street of hold'em, hole cards and board up to suit symmetry, put
// into buckets that are played alike.
namespace cleave::poker {

struct Buckets {
  int board_cards = 3;  // 3, 4 or 5
  uint32_t count = 0;
  std::vector<uint16_t> bucket = {};  // [class of HandIndex({2, board_cards})]

  // Where k-means found them: [bucket][dimension], in the units of the kind. Empty for those kinds
  // that have no such points.
  int dimensions = 0;
  std::vector<float> centres = {};
};

struct BucketOptions {
  uint64_t seed = 1;
  int threads = 1;
  std::string folder = {};  // where buckets are stored once and found again; empty: neither
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string& line)> progress = {};

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
  // Throws RunError that names what was being done where it was stopped.
  void check_stop(std::string_view doing) const;
  // Calls task(i) for i in [0, count) on the threads, and says so; then the same.
  void for_each_part(size_t count, std::string_view doing,
                     const std::function<void(size_t)>& task) const;
};

// One kind of bucketing, for help texts.
struct BucketingInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
};
const std::vector<BucketingInfo>& all_bucketings();

// "emd(street=flop,buckets=200)", "random(street=turn,buckets=1000)", ... Throws InputError that
// lists what is allowed, and RunError where it was stopped.
Buckets make_buckets(std::string_view spec, const BucketOptions& options);

// The spec with all of its parameters in order, defaults too: what a stored file is called by.
std::string canonical_bucketing(std::string_view spec);

// On disk there is one file for each bucketing and seed.
// "FOLDER/emd-street=flop-buckets=200-seed=1.buckets". `spec` is the canonical one.
std::string bucket_path(const std::string& folder, const std::string& spec, uint64_t seed);

// Nothing where there is no such file, or where it is damaged or of something else.
std::optional<Buckets> load_buckets(const std::string& folder, const std::string& spec,
                                    uint64_t seed);
// Makes the folder where it is missing.
void save_buckets(const std::string& folder, const std::string& spec, uint64_t seed,
                  const Buckets& buckets);

}  // namespace cleave::poker
