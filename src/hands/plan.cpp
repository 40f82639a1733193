#include "hands/plan.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/units.h"
#include "fmt/format.h"

namespace cleave::hands {
namespace {

[[noreturn]] void refuse_size(const Problem& problem, const std::string& needed, uint64_t there,
                              bool packed_fits) {
  throw core::InputError(fmt::format(
      "{}: needs {} of memory and {} are free; use {}fewer bet sizes, or a larger machine",
      problem.name, needed, core::bytes_text(there), packed_fits ? "--storage i16, " : ""));
}

}  // namespace

PlannedLayout plan_solve(const Problem& problem, const SolverOptions& options) {
  const uint64_t there = core::available_memory();
  // Boards of whole games may be too many even to be listed.
  if (problem.pot == 0) {
    const Counts least = estimate(problem.setup);
    const double bytes = least_bytes(least, options.storage);
    if (bytes > static_cast<double>(there) || !can_sketch(least)) {
      const double packed = least_bytes(least, Storage::kI16);
      refuse_size(problem, "at least " + core::bytes_text(bytes), there,
                  can_sketch(least) && packed <= static_cast<double>(there));
    }
  }
  PlannedLayout out{sketch_layout(problem.setup), {}, {}};
  const auto plan = [&](Storage storage) {
    return plan_memory(out.sketch, storage, options.threads, options.algorithm);
  };
  out.plan = plan(options.storage);
  if (out.plan.total() > there) {
    refuse_size(problem, core::bytes_text(out.plan.total()), there,
                plan(Storage::kI16).total() <= there);
  }
  out.counts = count(out.sketch);
  return out;
}

}  // namespace cleave::hands
