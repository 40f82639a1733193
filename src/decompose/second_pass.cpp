#include "decompose/second_pass.h"

#include "core/error.h"
#include "core/threads.h"
#include "decompose/graft.h"
#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {
namespace {

SecondPassResult apply_graft(const SecondPass& work, Recombined* into) {
  const ResolveOptions& solving = work.solving;
  if (solving.hero || solving.subgame || solving.exact) {
    throw core::InputError(
        "graft works on all subgames for both players and by iterations: --player, --subgame and "
        "--exact are for the other methods");
  }
  GraftOptions options{.algorithm = solving.algorithm,
                       .iterations = solving.iterations,
                       .threads = solving.threads,
                       .stop = solving.stop};
  if (into) {
    options.take = [&](size_t hero, const Piece& whole, Engine& engine) {
      into->take(whole, engine, hero);
    };
  }
  return {graft(*work.trunk, *work.profile, work.root_reach, options), 2};
}

}  // namespace

SecondPassResult apply(const Pass& pass, const SecondPass& work, Recombined* into) {
  if (pass.grafts) return apply_graft(work, into);
  Resolution::Options options;
  options.solving = work.solving;
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
