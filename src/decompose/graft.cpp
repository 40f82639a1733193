#include "decompose/graft.h"

#include <numeric>

#include "core/error.h"
#include "decompose/resolver.h"

namespace cleave::decompose {

std::array<double, 2> graft(const Piece& trunk, const Profile& profile, const Vectors& root_reach,
                            const GraftOptions& options) {
  const solve::Schedule schedule = solve::make_schedule(options.algorithm, options.iterations);
  const std::shared_ptr<const Piece> whole = trunk.whole();
  const auto above = trunk.engine();
  profile.give(trunk, *above);
  const std::vector<size_t> number = trunk.decisions_in_whole();
  std::array<double, 2> best_response = {};
  std::vector<double> rows;
  for (size_t hero = 0; hero < 2; ++hero) {
    const auto engine = whole->engine(options.threads);
    for (size_t d = 0; d < number.size(); ++d) {
      const Decision decision = above->decision(d);
      if (decision.player != hero) continue;
      rows.resize(decision.num_rows());
      above->strategy(d, rows);
      engine->fix(number[d], rows);
    }
    for (int64_t t = 1; t <= options.iterations; ++t) {
      if (options.stop && *options.stop) throw core::RunError("stopped while grafting");
      iterate_fixed(*engine, root_reach, schedule(t));
    }
    std::vector<double> values(engine->num_states(1 - hero));
    engine->best_response(1 - hero, root_reach[hero], values);
    best_response[1 - hero] =
        std::inner_product(values.begin(), values.end(), root_reach[1 - hero].begin(), 0.0);
    if (options.take) options.take(hero, *whole, *engine);
  }
  return best_response;
}

}  // namespace cleave::decompose
