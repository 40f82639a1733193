#include "signature.h"

#include "cut_game.h"
#include "decompose/cfr_d.h"
#include "decompose/leaves/solved_leaves.h"
#include "games/registry.h"
#include "histories/nested.h"
#include "histories/tree_engine.h"
#include "solve/evaluate.h"
#include "solve/solver.h"

namespace cleave::histories {
namespace {

tree::Strategy solved(const solve::Problem& problem, const char* algorithm, int iterations) {
  const auto solver = solve::make_solver(algorithm, problem);
  for (int t = 0; t < iterations; ++t) solver->iterate();
  return solver->strategy();
}

// Leduc, where the board is dealt, below a trunk that is not an equilibrium.
struct Leduc {
  std::unique_ptr<games::Game> game = games::make_game("leduc");
  solve::Problem problem = solve::make_problem(*game);
  CutGame parts = take_apart(problem, make_cut(*game, problem.tree, "round:1"));
  tree::Strategy trunk = solved(problem, "cfr", 20);
};

void add_second_passes(const Leduc& leduc, Signature& signature) {
  decompose::SecondPass work{.trunk = {std::shared_ptr<void>(), &leduc.parts.trunk},
                             .profile = std::make_shared<TreeProfile>(leduc.trunk),
                             .root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}},
                             .summaries = summarise(leduc.parts, leduc.trunk)};
  work.solving.iterations = 60;
  std::vector<std::string> names = decompose::all_passes();
  names.insert(names.end(),
               {"combined(weight=0.3)", "reach-resolve(bound=false)", "reach-maxmargin(scale=2)"});
  for (const std::string& name : names) {
    TreeProfile into(leduc.trunk);
    decompose::apply(decompose::make_pass(name), work, &into);
    const tree::Strategy& found = into.strategy();
    const std::string line = "second pass " + name;
    if (name.find("distributional") == std::string::npos) {
      signature.add(line, found);
    } else {  // the normal distribution's erfc
      signature.add_rounded(line, solve::certify(leduc.problem, found).exploitability);
    }
  }
}

void add_cfr_d(const Leduc& leduc, Signature& signature) {
  for (const auto& [name, iterations, warm] :
       {std::tuple{"solved leaves", 8, false}, std::tuple{"warm leaves", 1, true}}) {
    decompose::SolvedLeaves leaves(
        {.schedule = solve::make_schedule("cfr+"), .iterations = iterations, .keep_warm = warm});
    TreeEngine trunk(leduc.parts.trunk);
    decompose::CfrD cfr_d(leduc.parts.trunk, trunk, decompose::full_reach(trunk), leaves,
                          solve::make_schedule("cfr+"));
    cfr_d.run(30);
    tree::Strategy strategy = tree::uniform_strategy(leduc.problem.tree);
    for (size_t p = 0; p < 2; ++p) trunk.copy_strategy(p, strategy);
    signature.add(fmt::format("cfr-d trunk, {}", name), strategy);
    std::vector<double> kept = {cfr_d.value()};
    for (const decompose::Summary& leaf : cfr_d.summaries()) {
      for (const decompose::Vectors* vectors : {&leaf.reach, &leaf.value}) {
        for (const auto& own : *vectors) kept.insert(kept.end(), own.begin(), own.end());
      }
    }
    signature.add(fmt::format("cfr-d reach and values, {}", name), kept);
  }
}

void add_nested(Signature& signature) {
  const auto game = games::make_game("leduc(distinct=false,bets=2:3:4/4:6)");
  const solve::Problem problem = solve::make_problem(*game);
  const ActionAbstraction abstraction = drop_actions(*game, problem.tree, "bet3,raise3");
  const SmallGame small = make_small_game(problem.tree, abstraction);
  const tree::Strategy strategy =
      expand_strategy(problem.tree, abstraction, small, solved(small.problem, "cfr+", 30));
  for (const bool expensive : {false, true}) {
    for (const char* method : {"resolve", "maxmargin", "reach-maxmargin(bound=false)", "unsafe"}) {
      if (!expensive && method == std::string_view("unsafe")) continue;  // is refused
      decompose::ResolveOptions options;
      options.iterations = 30;
      tree::Strategy both;
      for (size_t hero = 0; hero < 2; ++hero) {
        const NestedResult result =
            solve_nested(problem, abstraction, hero, strategy,
                         {decompose::make_method(method), expensive}, options);
        both.insert(both.end(), result.strategy.begin(), result.strategy.end());
      }
      signature.add(fmt::format("nested {}{}", expensive ? "expensive-" : "", method), both);
    }
  }
}

TEST(Signature, OfDecompositionIsUnchanged) {
  Signature signature;
  const Leduc leduc;
  add_second_passes(leduc, signature);
  add_cfr_d(leduc, signature);
  add_nested(signature);
  signature.expect_unchanged("histories");
}

}  // namespace
}  // namespace cleave::histories
