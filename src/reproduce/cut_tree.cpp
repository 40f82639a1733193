#include "reproduce/cut_tree.h"

#include "decompose/stretch.h"
#include "histories/profile.h"
#include "solve/run.h"

namespace cleave::reproduce {
namespace {

const decompose::Vectors kRootReach = {std::vector<double>{1.0}, std::vector<double>{1.0}};

}  // namespace

CutTree::CutTree(const char* name, const char* where)
    : game(games::make_game(name)),
      problem(solve::make_problem(*game)),
      cut(histories::make_cut(*game, problem.tree, where)),
      trunk(std::make_shared<histories::TreePiece>(histories::make_trunk(problem.tree, cut))) {}

Summaries CutTree::summarise(const tree::Strategy& strategy) const {
  // Reach straight from the strategy: through an engine it would be divided by sums of 1 - 1e-16,
  // and an unsafe subgame ends in another equilibrium.
  const histories::TreeProfile profile(strategy);
  Summaries summaries;
  for (const auto& piece : trunk->subgames) {
    const auto engine = piece->engine();
    profile.give(*piece, *engine);
    summaries.push_back(decompose::summarise(
        *engine, histories::border_reach(problem.tree, piece->root, strategy)));
  }
  return summaries;
}

decompose::GadgetInput CutTree::gadget_input(const decompose::Method& method,
                                             const tree::Strategy& strategy,
                                             const Summaries& summaries, size_t s,
                                             size_t hero) const {
  std::vector<decompose::Vectors> best, average;  // [leaf]
  for (const decompose::Summary& summary : summaries) {
    best.push_back(summary.best_response);
    average.push_back(summary.value);
  }
  decompose::Stretch top =
      decompose::begin_stretch(histories::TreeProfile(strategy), *trunk, kRootReach);
  decompose::look_at_decisions(kRootReach, best, average, top);
  const decompose::Arrival arrival =
      decompose::arrive(*trunk, top, {kRootReach}, s, trunk->below(s, 0));
  return decompose::make_gadget_input(method, *subgame(s).engine(), hero,
                                      {summaries[s], arrival.way[1 - hero]});
}

tree::Strategy CutTree::resolve(const std::string& method, const tree::Strategy& strategy,
                                const Summaries& summaries,
                                const decompose::ResolveOptions& options) const {
  histories::TreeProfile result(strategy);
  decompose::apply(decompose::make_pass(method),
                   {.trunk = trunk,
                    .profile = std::make_shared<histories::TreeProfile>(strategy),
                    .root_reach = kRootReach,
                    .summaries = summaries,
                    .solving = options},
                   &result);
  return result.strategy();
}

Solved solve_whole(const Context& context, const solve::Problem& problem, const char* algorithm,
                   int64_t iterations, double target) {
  const auto solver = solve::make_solver(algorithm, problem);
  solve::Record record;
  solve::Hooks hooks;
  hooks.stop = context.stop;
  const auto result =
      solve::run(problem, *solver, {.iterations = iterations, .target = target, .seconds = {}}, 1,
                 hooks, record);
  context.check_stop();
  return {solver->strategy(), result.certificate};
}

}  // namespace cleave::reproduce
