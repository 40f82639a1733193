#pragma once

#include <cstddef>
#include <functional>

namespace cleave::core {

// Calls task(i) for i in [0, count), on up to `threads` threads; in order on the calling thread
// when threads is 1. Tasks must write to different places, so that the result does not depend on
// the number of threads.
void parallel_for(size_t count, int threads, const std::function<void(size_t)>& task);

int hardware_threads();

}  // namespace cleave::core
