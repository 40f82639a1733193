#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "decompose/cfr_d.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/second_pass.h"
#include "games/registry.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"

// Leduc cut after its first round: five subgames below a trunk. One thread; every benchmark checks
// its answer before it times anything.
namespace {

using namespace cleave;
using namespace cleave::decompose;
using histories::TreeEngine;

struct Leduc {
  Leduc()
      : game(games::make_game("leduc")),
        problem(solve::make_problem(*game)),
        trunk(std::make_shared<histories::TreePiece>(histories::make_trunk(
            problem.tree, histories::make_cut(*game, problem.tree, "round:1")))),
        equilibrium(std::make_shared<histories::TreeProfile>(solve::solve_lp(problem).strategy)),
        summaries(summarise(*trunk, *equilibrium, root_reach, 1)) {}
  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  std::shared_ptr<const histories::TreePiece> trunk;
  std::shared_ptr<const histories::TreeProfile> equilibrium;
  Vectors root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}};
  std::vector<Summary> summaries;
};

const Leduc& leduc() {
  static const Leduc instance;
  return instance;
}

// All five subgames for both players from an equilibrium's values.
void resolve_subgames(benchmark::State& state, const char* method_name, const char* algorithm,
                      int64_t iterations, double target) {
  const Leduc& l = leduc();
  const Pass pass = make_pass(method_name);
  const SecondPass work{.trunk = l.trunk,
                        .profile = l.equilibrium,
                        .root_reach = l.root_reach,
                        .summaries = l.summaries,
                        .solving = {.algorithm = algorithm, .iterations = iterations}};
  const auto solve_all = [&] {
    histories::TreeProfile result = *l.equilibrium;
    apply(pass, work, &result);
    return result.strategy();
  };
  if (solve::certify(l.problem, solve_all()).exploitability > target) {
    state.SkipWithError("more exploitable than its target");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(solve_all());
  state.SetItemsProcessed(state.iterations() * iterations * 10);  // subgame iterations
}
BENCHMARK_CAPTURE(resolve_subgames, resolve_dcfr_to_1e_4, "resolve", "dcfr", 1340, 1e-4)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(resolve_subgames, maxmargin_dcfr, "maxmargin", "dcfr", 1340, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(resolve_subgames, reach_maxmargin_dcfr, "reach-maxmargin", "dcfr", 1340, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(resolve_subgames, distributional_dcfr, "distributional", "dcfr", 1340, 1e-2)
    ->Unit(benchmark::kMillisecond);

// One iteration of CFR-D in the trunk: five subgames, `leaf_iterations` each.
void cfr_d_iteration(benchmark::State& state, int64_t leaf_iterations, bool warm) {
  const Leduc& l = leduc();
  SolvedLeaves leaves(
      {.schedule = solve::make_schedule("cfr+"), .iterations = leaf_iterations, .keep_warm = warm});
  TreeEngine trunk(*l.trunk);
  CfrD cfr_d(*l.trunk, trunk, full_reach(trunk), leaves, solve::make_schedule("cfr+"));
  cfr_d.run(300);
  if (std::abs(cfr_d.value() - -0.085606) > 0.02) {
    state.SkipWithError("the value is not the game's");
    return;
  }
  for (auto _ : state) cfr_d.iterate();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(cfr_d_iteration, afresh_100, 100, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cfr_d_iteration, warm_10, 10, true)->Unit(benchmark::kMicrosecond);

}  // namespace
