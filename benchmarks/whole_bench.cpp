#include <benchmark/benchmark.h>

#include <numeric>

#include "core/file.h"
#include "decompose/resolver.h"
#include "hands/problem.h"
#include "hands/vector_engine.h"
#include "solve/schedule.h"

// Whole games of hold'em: subgames of the flop, one thread.
namespace {

using namespace cleave;

constexpr double kOfThePot = 0.001;
constexpr int kStep = 10;

hands::Setup game_of(const std::string& name) {
  const std::string path =
      std::string(CLEAVE_SOURCE_DIR) + "/papers/brown-sandholm-2017/games/" + name + ".toml";
  return hands::parse_game(core::read_file(path), path).setup;
}

// Chips that a player loses on average over both, given that the board is reached.
double exploitability(hands::VectorEngine& engine, const std::vector<double>& ones) {
  std::vector<double> values(ones.size()), rho(ones.size());
  double sum = 0;
  for (size_t p = 0; p < 2; ++p) {
    engine.best_response(p, ones, values);
    sum += std::accumulate(values.begin(), values.end(), 0.0) / 2;
  }
  engine.counterfactual_reach(0, ones, rho);
  return sum / std::accumulate(rho.begin(), rho.end(), 0.0);
}

// All hands of both players on one flop after another, the first line of the game (both put one big
// blind in), to 0.1% of the pot. Items are subgames.
void flop_subgames(benchmark::State& state, const std::string& name, const std::string& algorithm) {
  hands::Setup setup = game_of(name);
  hands::sample_deals(setup, 16, 1);
  const hands::WholeGame game = hands::make_whole_game(setup, 1);
  const auto& boards = game.street().boards;
  const hands::Street& trunk = game.trunk_street();
  const uint32_t entry = setup.tree.nodes[trunk.nodes[trunk.exits[0]].source].first_child;
  const auto& put = setup.tree.nodes[entry].put;
  const double pot = static_cast<double>(put[0] + put[1]);
  size_t next = 0;
  int64_t iterations = 0;
  for (auto _ : state) {
    const hands::Setup below = hands::below(setup, entry, boards[next++ % boards.size()].cards);
    const auto engine = hands::make_vector_engine(hands::sketch_layout(below), {});
    const std::vector<double> ones(below.hands[0].size(), 1.0);
    const solve::Schedule schedule = solve::make_schedule(algorithm);
    int64_t t = 0;
    do {
      for (int i = 0; i < kStep; ++i) {
        decompose::iterate_fixed(*engine, {ones, ones}, schedule(++t));
      }
    } while (t < 10000 && exploitability(*engine, ones) > kOfThePot * pot);
    if (t >= 10000) return state.SkipWithError("did not reach its target");
    iterations += t;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["iterations"] =
      static_cast<double>(iterations) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(flop_subgames, small_flop_cfr_plus, "small-flop", "cfr+")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);
BENCHMARK_CAPTURE(flop_subgames, small_flop_dcfr, "small-flop", "dcfr(gamma=3)")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);
BENCHMARK_CAPTURE(flop_subgames, nested_small_dcfr, "nested-small", "dcfr(gamma=3)")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);
BENCHMARK_CAPTURE(flop_subgames, nested_large_dcfr, "nested-large", "dcfr(gamma=3)")
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);

}  // namespace
