#pragma once

#include <optional>
#include <string>

#include "poker/abstraction/buckets.h"

// Buckets on disk: one file for each bucketing and seed.
namespace cleave::poker {

// "FOLDER/emd-street=flop-buckets=200-seed=1.buckets". `spec` is the canonical one.
std::string bucket_path(const std::string& folder, const std::string& spec, uint64_t seed);

// Nothing where there is no such file, or where it is damaged or of something else.
std::optional<Buckets> load_buckets(const std::string& folder, const std::string& spec,
                                    uint64_t seed);
// Makes the folder where it is missing.
void save_buckets(const std::string& folder, const std::string& spec, uint64_t seed,
                  const Buckets& buckets);

}  // namespace cleave::poker
