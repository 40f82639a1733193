#include "core/threads.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#ifndef __SANITIZE_THREAD__
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace cleave::core {

#ifdef __SANITIZE_THREAD__
// The thread sanitizer cannot see into oneTBB, which is not built for it: there plain threads do
// the same work. Taking indices in relaxed order leaves tasks unordered, so that races show.
static void run_on_threads(size_t count, int threads, const std::function<void(size_t)>& task) {
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      constexpr auto kRelaxed = std::memory_order_relaxed;
      for (size_t k = next.fetch_add(1, kRelaxed); k < count; k = next.fetch_add(1, kRelaxed)) {
        task(k);
      }
    });
  }
}
#else
static void run_on_threads(size_t count, int threads, const std::function<void(size_t)>& task) {
  // More threads than cores gain nothing, and on a single core oneTBB would print a warning.
  threads = std::min(threads, oneapi::tbb::info::default_concurrency());
  // One arena per number of threads and calling thread: building one costs more than small loops.
  thread_local int arena_threads = 0;
  thread_local std::unique_ptr<oneapi::tbb::task_arena> arena;
  if (arena_threads != threads) {
    arena = std::make_unique<oneapi::tbb::task_arena>(threads);
    arena_threads = threads;
  }
  arena->execute([&] {
    oneapi::tbb::parallel_for(size_t{0}, count, task, oneapi::tbb::simple_partitioner());
  });
}
#endif

void parallel_for(size_t count, int threads, const std::function<void(size_t)>& task) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) task(i);
  } else {
    run_on_threads(count, threads, task);
  }
}

int hardware_threads() {
  const unsigned n = std::thread::hardware_concurrency();
  return n == 0 ? 1 : static_cast<int>(n);
}

}  // namespace cleave::core
