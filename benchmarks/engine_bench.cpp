#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "core/stopwatch.h"
#include "games/registry.h"
#include "solve/evaluate.h"
#include "solve/run.h"
#include "solve/sequence_lp.h"

// The tree engine on the games of docs/performance.md, one thread. Every benchmark checks its
// answer before it times anything: a wrong engine has no speed.
namespace {

using namespace cleave;

const solve::Problem& problem_of(const std::string& game) {
  static std::map<std::string, std::unique_ptr<solve::Problem>> problems;
  auto& problem = problems[game];
  if (!problem) {
    problem = std::make_unique<solve::Problem>(solve::make_problem(*games::make_game(game)));
  }
  return *problem;
}

// The value by the linear program for the games that are small enough to ask it each time.
double value_by_lp(const solve::Problem& problem) {
  static std::map<const solve::Problem*, double> values;
  const auto [at, is_new] = values.try_emplace(&problem, 0);
  if (is_new) at->second = solve::solve_lp(problem).value;
  return at->second;
}

bool solved(benchmark::State& state, const solve::Problem& problem,
            const solve::Certificate& certificate, double target) {
  if (certificate.exploitability > target) {
    state.SkipWithError("did not reach its target");
    return false;
  }
  if (problem.tree.num_histories() < 20000 &&
      std::abs(certificate.value - value_by_lp(problem)) > 2 * target) {
    state.SkipWithError("the value differs from the linear program's");
    return false;
  }
  return true;
}

solve::RunResult solve_to(const solve::Problem& problem, const std::string& algorithm,
                          double target, solve::Record& record) {
  const auto solver = solve::make_solver(algorithm, problem);
  return solve::run(problem, *solver, {.iterations = 1000000, .target = target, .seconds = {}}, 1,
                    {}, record);
}

// Iterations per second; items are iterations, bytes what the payoff matrices hold.
void iterate(benchmark::State& state, const std::string& game, const std::string& algorithm) {
  const solve::Problem& problem = problem_of(game);
  solve::Record record;
  if (!solved(state, problem, solve_to(problem, algorithm, 1e-3, record).certificate, 1e-3)) return;
  const auto solver = solve::make_solver(algorithm, problem);
  for (auto _ : state) solver->iterate();
  state.SetItemsProcessed(state.iterations());
}

void evaluate(benchmark::State& state, const std::string& game) {
  const solve::Problem& problem = problem_of(game);
  const auto solver = solve::make_solver("cfr+", problem);
  for (int i = 0; i < 100; ++i) solver->iterate();
  solve::Workspace work(problem);
  for (int p = 0; p < 2; ++p) solver->average_plan(p, work.plan[static_cast<size_t>(p)]);
  const double expected = solve::certify(problem, solver->strategy()).exploitability;
  if (std::abs(solve::certify(problem, work).exploitability - expected) > 1e-12) {
    state.SkipWithError("two evaluations of one strategy differ");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(solve::certify(problem, work));
}

// Wall time of a whole solve, evaluations included.
void solve_game(benchmark::State& state, const std::string& game, const std::string& algorithm,
                double target) {
  const solve::Problem& problem = problem_of(game);
  int64_t iterations = 0;
  for (auto _ : state) {
    solve::Record record;
    const auto result = solve_to(problem, algorithm, target, record);
    if (!solved(state, problem, result.certificate, target)) return;
    iterations = record.history.back().iteration;
  }
  state.counters["iterations"] = static_cast<double>(iterations);
}

void compile(benchmark::State& state, const std::string& name) {
  const auto game = games::make_game(name);
  size_t histories = 0;
  for (auto _ : state) {
    const tree::Tree tree = tree::compile(*game);
    histories = tree.num_histories();
    state.counters["bytes/history"] =
        static_cast<double>(tree.bytes()) / static_cast<double>(histories);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(histories));
}

// The first iterations of fictitious play and of FPIRA, in turns of a few: seconds differ from run
// to run on a shared machine, their ratio hardly.
void fpira_beside_xfp(benchmark::State& state, const std::string& game) {
  constexpr int kTurns = 100;
  constexpr int kIterations = 50;
  const solve::Problem& problem = problem_of(game);
  core::Stopwatch watch[2];
  for (auto _ : state) {
    const std::array solvers = {
        solve::make_solver("xfp(updates=alternating,start=first,ties=last)", problem),
        solve::make_solver("fpira(ties=last)", problem)};
    for (int turn = 0; turn < kTurns; ++turn) {
      for (size_t i = 0; i < 2; ++i) {
        watch[i].start();
        for (int t = 0; t < kIterations; ++t) solvers[i]->iterate();
        watch[i].pause();
      }
    }
    const double apart = solve::certify(problem, solvers[0]->strategy()).exploitability -
                         solve::certify(problem, solvers[1]->strategy()).exploitability;
    if (std::abs(apart) > 1e-9) state.SkipWithError("not as exploitable as fictitious play");
  }
  state.counters["xfp_us"] =
      1e6 * watch[0].seconds() / static_cast<double>(state.iterations() * kTurns * kIterations);
  state.counters["ratio"] = watch[1].seconds() / watch[0].seconds();
}

}  // namespace

int main(int argc, char** argv) {
  const char* games[] = {"kuhn", "goofspiel", "leduc", "liars_dice"};
  for (const std::string game : games) {
    for (const std::string algorithm : {"cfr+", "dcfr", "pcfr+"}) {
      benchmark::RegisterBenchmark(("iterate/" + game + "/" + algorithm).c_str(), iterate, game,
                                   algorithm);
    }
    benchmark::RegisterBenchmark(("evaluate/" + game).c_str(), evaluate, game);
  }
  for (const std::string game : games) {
    for (const std::string algorithm : {"cfr+", "pcfr+", "dcfr"}) {
      benchmark::RegisterBenchmark(("solve_to_1e-4/" + game + "/" + algorithm).c_str(), solve_game,
                                   game, algorithm, 1e-4)
          ->Unit(benchmark::kMillisecond);
    }
  }
  for (const std::string algorithm : {"external-sampling", "chance-sampling", "pure-cfr"}) {
    benchmark::RegisterBenchmark(("iterate/leduc/" + algorithm).c_str(), [=](auto& state) {
      const auto solver = solve::make_solver(algorithm, problem_of("leduc"));
      for (auto _ : state) solver->iterate();
      state.SetItemsProcessed(state.iterations());
    });
  }
  for (const std::string game : {"leduc(ranks=4,suits=3,distinct=false,bets=1:2)",
                                 "leduc(ranks=4,suits=3,distinct=false,bets=1:2:3)",
                                 "leduc(ranks=4,suits=3,distinct=false,bets=1:2,max_raises=3)",
                                 "random(depth=7,branching=5,observations=4)"}) {
    benchmark::RegisterBenchmark(("fpira_beside_xfp/" + game).c_str(), fpira_beside_xfp, game)
        ->Unit(benchmark::kMillisecond);
  }
  for (const std::string game : {"leduc", "liars_dice", "liars_dice(faces=8)"}) {
    benchmark::RegisterBenchmark(("compile/" + game).c_str(), compile, game)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
