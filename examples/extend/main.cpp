// Leduc hold'em cut after its first round, with a gadget, a leaf evaluator and an outer method that
// the library does not have.
#include <cmath>
#include <cstdio>
#include <exception>

#include "decompose/cfr_d.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/second_pass.h"
#include "ensemble_leaves.h"
#include "games/registry.h"
#include "histories/piece.h"
#include "histories/profile.h"
#include "in_turn.h"
#include "solve/evaluate.h"
#include "solve/solver.h"
#include "wary_gadget.h"

using namespace cleave;

namespace {

// Re-solves every subgame for both players below the gadget, by iterations or exactly.
tree::Strategy resolve_with(const decompose::GadgetInfo& info,
                            const std::shared_ptr<const decompose::Piece>& trunk,
                            const tree::Strategy& strategy, bool exact) {
  decompose::Method method;
  method.name = info.name;
  method.gadget = &info;
  histories::TreeProfile result(strategy);
  decompose::apply({.name = info.name, .summary = info.summary, .condition = {}, .method = method},
                   {.trunk = trunk,
                    .profile = std::make_shared<histories::TreeProfile>(strategy),
                    .root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}},
                    .solving = {.iterations = 2000, .exact = exact}},
                   &result);
  return result.strategy();
}

// CFR-D: the trunk learns, the leaves are evaluated. Returns the game's value as it sees it.
double value_with(decompose::LeafEvaluator& leaves, const decompose::Piece& trunk) {
  const auto engine = trunk.engine();
  decompose::CfrD cfr_d(trunk, *engine, decompose::full_reach(*engine), leaves,
                        solve::make_schedule("cfr+"));
  cfr_d.run(500);
  return cfr_d.value();
}

// Mean over both heroes of what the other's best response gets.
double exploitability_in_turn(const decompose::Piece& trunk, const decompose::Profile& profile,
                              const std::vector<decompose::Method>& methods) {
  double sum = 0;
  for (size_t hero = 0; hero < 2; ++hero) {
    sum += resolve_in_turn(trunk, profile, hero, methods, {.iterations = 2000});
  }
  return sum / 2;
}

int run() {
  const auto game = games::make_game("leduc");
  const solve::Problem problem = solve::make_problem(*game);
  const histories::Cut cut = histories::make_cut(*game, problem.tree, "round:1");
  const auto trunk =
      std::make_shared<histories::TreePiece>(histories::make_trunk(problem.tree, cut));

  const auto solver = solve::make_solver("cfr", problem);
  while (solver->iterations() < 100) solver->iterate();
  const tree::Strategy strategy = solver->strategy();
  const solve::Certificate certificate = solve::certify(problem, strategy);

  const decompose::GadgetInfo info = wary_gadget();
  const auto exploitability = [&](bool exact) {
    return solve::certify(problem, resolve_with(info, trunk, strategy, exact)).exploitability;
  };
  const double by_iterations = exploitability(false);
  const double by_program = exploitability(true);
  std::printf("wary gadget: exploitability %.4f by iterations, %.4f by linear program\n",
              by_iterations, by_program);

  decompose::SolvedLeaves quick({.schedule = solve::make_schedule("cfr+"), .iterations = 20});
  decompose::SolvedLeaves slow({.schedule = solve::make_schedule("cfr+"), .iterations = 60});
  EnsembleLeaves ensemble(quick, slow);
  const double value = value_with(ensemble, *trunk);
  std::printf("ensemble leaves: value %.4f\n", value);

  const histories::TreeProfile profile(strategy);
  const decompose::Method resolve = decompose::make_method("resolve");
  const decompose::Method maxmargin = decompose::make_method("maxmargin");
  const double as_it_was = exploitability_in_turn(*trunk, profile, {});
  const double once = exploitability_in_turn(*trunk, profile, {resolve});
  const double twice = exploitability_in_turn(*trunk, profile, {resolve, maxmargin});
  std::printf("in turn: exploitability %.4f, resolved %.4f, then by maxmargin %.4f\n", as_it_was,
              once, twice);

  // Both methods are safe, up to the error of their iterations.
  const bool safe = once < as_it_was + 0.01 && twice < once + 0.01;
  return std::abs(by_iterations - by_program) < 0.05 &&
                 std::abs(value - certificate.value) < 0.05 &&
                 std::abs(as_it_was - certificate.exploitability) < 1e-9 && safe
             ? 0
             : 1;
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
