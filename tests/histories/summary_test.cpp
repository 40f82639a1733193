#include <gtest/gtest.h>

#include "cut_game.h"
#include "games/registry.h"
#include "random_strategy.h"

namespace cleave::histories {
namespace {

struct Leduc {
  Leduc() : game(games::make_game("leduc")), problem(solve::make_problem(*game)) {}
  CutGame apart(std::string_view spec = "round:1") const {
    return take_apart(problem, make_cut(*game, problem.tree, spec));
  }
  std::unique_ptr<games::Game> game;
  solve::Problem problem;
};

// Re-solving reads nothing of a subgame but its summary.
TEST(Summary, IsAllThatReSolvingNeedsBesideTheTrunk) {
  const Leduc leduc;
  const CutGame game = leduc.apart();
  const tree::Strategy trunk = random_strategy(leduc.problem.tree, 5);
  const auto summaries = summarise(game, trunk);
  tree::Strategy dropped = trunk;
  const tree::Strategy noise = random_strategy(leduc.problem.tree, 6);
  for (const TreePiece& piece : game.subgames) {
    for (const uint32_t slot : piece.source_slot) {
      if (slot != tree::kNone) dropped[slot] = noise[slot];
    }
  }
  for (const std::string& name : decompose::all_methods()) {
    const decompose::Method method = decompose::make_method(name);
    EXPECT_EQ(resolve_all(game, summaries, method, {.iterations = 20}, trunk),
              resolve_all(game, summaries, method, {.iterations = 20}, dropped))
        << name;
  }
}

}  // namespace
}  // namespace cleave::histories
