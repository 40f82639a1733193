#include "poker/abstraction/work.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads.h"

namespace cleave::poker {

static bool is_stopped(const BucketOptions& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

void check_stop(const BucketOptions& options, std::string_view doing) {
  if (is_stopped(options)) {
    throw core::RunError(fmt::format("stopped while making buckets: {}", doing));
  }
}

void for_each_part(size_t count, const BucketOptions& options, std::string_view doing,
                   const std::function<void(size_t)>& task) {
  if (options.progress) options.progress(std::string(doing));
  core::parallel_for(count, options.threads, [&](size_t i) {
    if (!is_stopped(options)) task(i);
  });
  check_stop(options, doing);
}

}  // namespace cleave::poker
