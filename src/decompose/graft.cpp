#include "decompose/graft.h"

#include <numeric>

#include "core/error.h"
#include "decompose/resolver.h"

namespace cleave::decompose {

std::array<double, 2> graft(const Piece& trunk, const Profile& profile, const Vectors& root_reach,
                            const ResolveOptions& options, Recombined* into) {
  const solve::Schedule schedule = solve::make_schedule(options.algorithm, options.iterations);
  const std::shared_ptr<const Piece> whole = trunk.whole();
  const std::vector<size_t> above = trunk.trunk_decisions();
  std::array<double, 2> best_response = {};
  std::vector<double> rows;
  for (size_t hero = 0; hero < 2; ++hero) {
    const auto engine = whole->engine(options.threads);
    profile.give(*whole, *engine);
    for (const size_t d : above) {
      if (engine->decision(d).player != hero) continue;
      rows.resize(engine->decision(d).num_rows());
      engine->strategy(d, rows);
      engine->fix(d, rows);
    }
    engine->reset();
    for (int64_t t = 1; t <= options.iterations; ++t) {
      if (options.stop && *options.stop) throw core::RunError("stopped while grafting");
      iterate_fixed(*engine, root_reach, schedule(t));
    }
    std::vector<double> values(engine->num_states(1 - hero));
    engine->best_response(1 - hero, root_reach[hero], values);
    best_response[1 - hero] =
        std::inner_product(values.begin(), values.end(), root_reach[1 - hero].begin(), 0.0);
    if (into) into->take(*whole, *engine, hero);
  }
  return best_response;
}

}  // namespace cleave::decompose
