#pragma once

#include <functional>
#include <string_view>

#include "poker/abstraction/buckets.h"

namespace cleave::poker {

// Calls task(i) for i in [0, count) on the threads of the options, and says so. Throws RunError
// that names what was being done where it was stopped.
void for_each_part(size_t count, const BucketOptions& options, std::string_view doing,
                   const std::function<void(size_t)>& task);

void check_stop(const BucketOptions& options, std::string_view doing);

}  // namespace cleave::poker
