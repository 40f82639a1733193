#include "hands/plan.h"

#include <optional>

#include "core/error.h"
#include "core/memory.h"
#include "core/units.h"
#include "fmt/format.h"

namespace cleave::hands {

ProblemSize measure(const Problem& problem, const SolverOptions& options) {
  ProblemSize size;
  size.available = core::available_memory();
  std::optional<Layout> sketch;
  // Boards of whole games may be too many even to be listed.
  if (problem.pot == 0) size.counts = estimate(problem.setup);
  if (problem.pot > 0 || can_sketch(size.counts)) {
    sketch = sketch_layout(problem.setup);
    size.counts = count(*sketch);
  }
  for (const Storage storage : kStorages) {
    size.needed[static_cast<size_t>(storage)] =
        sketch ? static_cast<double>(
                     plan_memory(*sketch, storage, options.threads, options.algorithm).total())
               : least_bytes(size.counts, storage);
  }
  return size;
}

ProblemSize plan_solve(const Problem& problem, const SolverOptions& options) {
  ProblemSize size = measure(problem, options);
  const auto fits = [&](Storage storage) {
    return size.counts.exact && size.bytes(storage) <= static_cast<double>(size.available);
  };
  if (fits(options.storage)) return size;
  throw core::InputError(fmt::format(
      "{}: needs {}{} of memory and {} are free; use {}fewer bet sizes, or a larger machine",
      problem.name, size.counts.exact ? "" : "at least ",
      core::bytes_text(size.bytes(options.storage)), core::bytes_text(size.available),
      fits(Storage::kI16) ? "--storage i16, " : ""));
}

}  // namespace cleave::hands
