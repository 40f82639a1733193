#include "whole/graft.h"

#include <numeric>

#include "core/error.h"
#include "decompose/resolver.h"

namespace cleave::whole {
namespace {

// The hero's decisions above the cut as the blueprint has them.
std::vector<hands::LockedNode> lock_trunk(const Game& game, Blueprint& blueprint, size_t hero) {
  std::vector<hands::LockedNode> locks;
  for (size_t s = 0; s < game.last; ++s) {
    const hands::Street& street = game.layout.streets[s];
    for (uint32_t n = 0; n < street.nodes.size(); ++n) {
      const hands::Node& node = street.nodes[n];
      if (node.kind != poker::BettingNode::Kind::kDecision || node.player != hero) continue;
      for (uint32_t b = 0; b < street.boards.size(); ++b) {
        const hands::Side& side = street.boards[b].side[hero];
        const std::vector<double> strategy = blueprint.trunk().strategy(static_cast<int>(s), b, n);
        hands::LockedNode lock{static_cast<int>(s), b, n, {}};
        lock.strategy.assign(size_t{node.num_children} * side.width, 0);
        for (size_t a = 0; a < node.num_children; ++a) {
          for (size_t i = 0; i < side.count; ++i) {
            lock.strategy[a * side.width + i] = strategy[a * side.count + i];
          }
        }
        locks.push_back(std::move(lock));
      }
    }
  }
  return locks;
}

}  // namespace

double graft_exploitability(const Game& game, Blueprint& blueprint, const GraftOptions& options) {
  const std::vector<double> ones(game.setup().hands[0].size(), 1.0);
  const solve::Schedule schedule = solve::make_schedule(options.algorithm, options.iterations);
  double sum = 0;
  for (size_t hero = 0; hero < 2; ++hero) {
    const auto engine = hands::make_vector_engine(
        hands::sketch_layout(game.setup()),
        {hands::Storage::kF32, options.threads, lock_trunk(game, blueprint, hero)});
    for (int64_t t = 1; t <= options.iterations; ++t) {
      if (options.stop && *options.stop) throw core::RunError("stopped");
      decompose::iterate_fixed(*engine, {ones, ones}, schedule(t));
    }
    std::vector<double> values(ones.size());
    engine->best_response(static_cast<int>(1 - hero), ones, values);
    sum += std::accumulate(values.begin(), values.end(), 0.0);
  }
  return sum / 2;
}

}  // namespace cleave::whole
