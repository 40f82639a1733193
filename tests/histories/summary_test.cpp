#include "histories/summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "games/registry.h"
#include "histories/resolve.h"
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

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("cleave_{}_{}", getpid(), name))
      .string();
}

TEST(Summary, ComesBackFromDiskBitByBit) {
  const Leduc leduc;
  const CutGame game = leduc.apart();
  const auto summaries = summarise(game, random_strategy(leduc.problem.tree, 5));
  const std::string path = temporary("summary.h5");
  write_summaries(game, summaries, path);
  const auto read = read_summaries(game, path);
  ASSERT_EQ(read.size(), summaries.size());
  for (size_t s = 0; s < read.size(); ++s) {
    EXPECT_EQ(read[s].reach, summaries[s].reach);
    EXPECT_EQ(read[s].value, summaries[s].value);
    EXPECT_EQ(read[s].best_response, summaries[s].best_response);
  }
  EXPECT_THROW(read_summaries(leduc.apart("depth:4"), path), core::InputError);
  std::filesystem::remove(path);
}

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
