#include "decompose/second_pass.h"

#include "core/error.h"
#include "core/threads.h"
#include "decompose/graft.h"
#include "decompose/leaf_evaluator.h"

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

}  // namespace cleave::decompose
