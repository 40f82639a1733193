#include "decompose/second_pass.h"

#include <numeric>

#include "core/error.h"
#include "core/threads.h"
#include "decompose/leaf_evaluator.h"
#include "decompose/resolver.h"

namespace cleave::decompose {

SecondPassResult apply(const Pass& pass, const SecondPass& work, Recombined* into) {
  const ResolveOptions& solving = work.solving;
  if (pass.grafts) {
    if (solving.hero || solving.subgame || solving.exact) {
      core::reject(
          "graft works on all subgames for both players and by iterations: --player, --subgame and "
          "--exact are for the other methods");
    }
    return {graft(*work.trunk, *work.profile, work.root_reach, solving, into), 2};
  }
  Resolution::Options options;
  options.solving = solving;
  options.passes = {pass};
  options.summaries = work.summaries;
  std::mutex mutex;
  if (into) {
    options.take = [&](size_t hero, size_t, const Piece& piece, Engine& engine) {
      const std::lock_guard lock(mutex);
      into->take(piece, engine, hero);
    };
  }
  Resolution resolution(work.trunk, work.profile, work.root_reach, std::move(options));
  resolution.run();
  return {{resolution.best_response(0, 0).value, resolution.best_response(0, 1).value},
          resolution.num_solved()};
}

std::vector<Summary> summarise(const Piece& trunk, const Profile& profile,
                               const Vectors& root_reach, int threads) {
  const auto engine = trunk.engine(threads);
  profile.give(trunk, *engine);
  for (size_t p = 0; p < 2; ++p) engine->follow(p, root_reach[p]);
  Leaves leaves(trunk, *engine);
  leaves.take_reach(*engine);
  std::vector<Summary> summaries(leaves.size());
  core::parallel_for(leaves.size(), threads, [&](size_t i) {
    const LeafState& leaf = leaves.states()[i];
    const auto below = leaf.piece->engine();
    profile.give(*leaf.piece, *below);
    const auto values = [&](Follow how) {
      return values_of(profile, *leaf.piece, *below, leaf.reach, how, 1);
    };
    summaries[i] = {leaf.reach, values(Follow::kAverage), values(Follow::kBestResponse)};
  });
  return summaries;
}

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
      options.check_stop();
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
