// Leduc hold'em cut after its first round, with a gadget and a leaf evaluator that the library does
// not have.
#include <cmath>
#include <cstdio>
#include <exception>

#include "decompose/cfr_d.h"
#include "decompose/gadget_game.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/resolve.h"
#include "decompose/resolver.h"
#include "decompose/tree_engine.h"
#include "ensemble_leaves.h"
#include "games/registry.h"
#include "solve/evaluate.h"
#include "solve/solver.h"
#include "wary_gadget.h"

using namespace cleave;

namespace {

// Re-solves every subgame for both players below the gadget, by iterations or exactly.
tree::Strategy resolve_with(const decompose::GadgetInfo& info, const decompose::CutGame& game,
                            const std::vector<decompose::Summary>& summaries,
                            const tree::Strategy& trunk, bool exact) {
  decompose::Method method;
  method.name = info.name;
  method.gadget = &info;
  return decompose::resolve_all(game, summaries, method, {.iterations = 2000, .exact = exact},
                                trunk);
}

// CFR-D: the trunk learns, the leaves are evaluated. Returns the game's value as it sees it.
double value_with(decompose::LeafEvaluator& leaves, const decompose::CutGame& game) {
  decompose::TreeEngine trunk(game.trunk);
  decompose::CfrD cfr_d(trunk, leaves, solve::make_schedule("cfr+"));
  cfr_d.run(500);
  return cfr_d.value();
}

int run() {
  const auto game = games::make_game("leduc");
  const solve::Problem problem = solve::make_problem(*game);
  const decompose::CutGame cut =
      decompose::take_apart(problem, decompose::make_cut(*game, problem.tree, "round:1"));

  const auto solver = solve::make_solver("cfr", problem);
  while (solver->iterations() < 100) solver->iterate();
  const tree::Strategy trunk = solver->strategy();
  const auto summaries = decompose::summarise(cut, trunk);
  const decompose::GadgetInfo info = wary_gadget();
  const auto exploitability = [&](bool exact) {
    return solve::certify(problem, resolve_with(info, cut, summaries, trunk, exact)).exploitability;
  };
  const double by_iterations = exploitability(false);
  const double by_program = exploitability(true);
  std::printf("wary gadget: exploitability %.4f by iterations, %.4f by linear program\n",
              by_iterations, by_program);

  const auto engine_of = [&](size_t leaf) -> std::unique_ptr<decompose::Engine> {
    return std::make_unique<decompose::TreeEngine>(cut.subgames[leaf]);
  };
  decompose::SolvedLeaves quick(engine_of,
                                {.schedule = solve::make_schedule("cfr+"), .iterations = 20});
  decompose::SolvedLeaves slow(engine_of,
                               {.schedule = solve::make_schedule("cfr+"), .iterations = 60});
  EnsembleLeaves ensemble(quick, slow);
  const double value = value_with(ensemble, cut);
  std::printf("ensemble leaves: value %.4f\n", value);

  const double lp = solve::certify(problem, trunk).value;
  return std::abs(by_iterations - by_program) < 0.05 && std::abs(value - lp) < 0.05 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
