#include "histories/graft.h"

#include <fmt/format.h>

#include <numeric>

#include "core/error.h"
#include "core/threads.h"
#include "histories/piece.h"
#include "solve/solver.h"

namespace cleave::histories {

using tree::kNone;
using tree::Strategy;
using tree::Treatment;
using tree::Tree;

namespace {

RecoveryGame make_ready(tree::Derived derived) {
  RecoveryGame game;
  game.problem = solve::make_problem(std::move(derived.tree));
  game.source_slot = std::move(derived.source_slot);
  return game;
}

// [history]: probability of reaching it when both follow the strategy.
std::vector<double> joint_reach(const Tree& game, const Strategy& strategy) {
  std::vector<double> reach(game.num_histories(), 1.0);
  for (uint32_t h = 1; h < reach.size(); ++h) {
    reach[h] = reach[game.parent[h]] * tree::probability_of_step(game, strategy, h);
  }
  return reach;
}

}  // namespace

std::vector<bool> histories_inside(const Cut& cut, uint32_t subgame) {
  std::vector<bool> inside(cut.subgame.size());
  for (size_t h = 0; h < inside.size(); ++h) {
    inside[h] = cut.subgame[h] != kNone && (subgame == kAllSubgames || cut.subgame[h] == subgame);
  }
  return inside;
}

std::vector<uint32_t> each_subgame(const Cut& cut) {
  std::vector<uint32_t> subgames(cut.roots.size());
  std::iota(subgames.begin(), subgames.end(), 0U);
  return subgames;
}

RecoveryGame make_recovery_game(const Tree& game, const tree::Recipe& recipe) {
  RecoveryGame made = make_ready(tree::derive(game, recipe));
  // Chance's moves include hero's fixed ones: a set that chance never reaches is one that hero
  // never comes to, so that the solution says nothing about it.
  const Tree& tree = made.problem.tree;
  const std::vector<double> chance = chance_reach(tree);
  std::vector<bool> reached(tree.num_infosets(), false);
  for (size_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2 && chance[h] > 0) reached[tree.infoset[h]] = true;
  }
  for (uint32_t set = 0; set < reached.size(); ++set) {
    if (reached[set]) continue;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      made.source_slot[slot] = kNone;
    }
  }
  return made;
}

RecoveryGame make_graft_game(const Tree& game, const Cut& cut, uint32_t subgame, size_t hero,
                             const Strategy& trunk) {
  const std::vector<bool> inside = histories_inside(cut, subgame);
  tree::Recipe recipe;
  recipe.name = fmt::format("{} (graft of player {})", game.name, hero + 1);
  recipe.strategy = &trunk;
  recipe.treat = [&](uint32_t h) {
    return game.actor[h] == hero && !inside[h] ? Treatment::kFix : Treatment::kKeep;
  };
  return make_recovery_game(game, recipe);
}

RecoveryGame make_standard_game(const Tree& game, const Cut& cut, uint32_t subgame,
                                const Strategy& trunk) {
  const std::vector<double> reach = joint_reach(game, trunk);
  const std::vector<uint32_t>& roots = cut.roots[subgame];
  double total = 0;
  for (const uint32_t h : roots) total += reach[h];
  if (!(total > 0)) {
    throw core::InputError(fmt::format(
        "standard approach: the trunk never comes to subgame {} of cut '{}', so that there is no "
        "distribution to solve it from; allowed are trunks that do, or path recovery",
        subgame, cut.name));
  }
  tree::Recipe recipe;
  recipe.name = fmt::format("{} (subgame {})", game.name, subgame);
  for (const uint32_t h : roots) recipe.roots.push_back({h, reach[h] / total, {kNone, kNone}, 0});
  return make_ready(tree::derive(game, recipe));
}

Strategy find_equilibrium(const solve::Problem& problem, const RecoveryOptions& options) {
  const auto solver = solve::make_solver(
      options.algorithm, problem,
      {.threads = 1, .seed = options.seed, .planned_iterations = options.iterations});
  while (!solver->finished() && solver->iterations() < options.iterations) {
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      throw core::RunError("stopped while a recovery game or its trunk was being solved");
    }
    solver->iterate();
  }
  return solver->strategy();
}

void copy_recovered(const RecoveryGame& game, size_t p, const Strategy& solution,
                    Strategy& strategy) {
  const Tree& tree = game.problem.tree;
  const uint32_t begin = tree.slot_begin[tree.infoset_begin[p]];
  const uint32_t end = tree.slot_begin[tree.infoset_begin[p + 1]];
  for (uint32_t slot = begin; slot < end; ++slot) {
    if (game.source_slot[slot] != kNone) strategy[game.source_slot[slot]] = solution[slot];
  }
}

Strategy graft(const solve::Problem& game, const Cut& cut, const std::vector<uint32_t>& subgames,
               const Strategy& trunk, const RecoveryOptions& options) {
  Strategy result = trunk;  // tasks write to different information sets of it
  core::parallel_for(2 * subgames.size(), options.threads, [&](size_t task) {
    const size_t hero = task % 2;
    const RecoveryGame made = make_graft_game(game.tree, cut, subgames[task / 2], hero, trunk);
    RecoveryOptions own = options;
    own.seed += task;
    copy_recovered(made, hero, find_equilibrium(made.problem, own), result);
  });
  return result;
}

Strategy recover_by_standard(const solve::Problem& game, const Cut& cut, const Strategy& trunk,
                             const RecoveryOptions& options) {
  Strategy result = trunk;
  core::parallel_for(cut.roots.size(), options.threads, [&](size_t subgame) {
    const RecoveryGame made =
        make_standard_game(game.tree, cut, static_cast<uint32_t>(subgame), trunk);
    RecoveryOptions own = options;
    own.seed += subgame;
    const Strategy solution = find_equilibrium(made.problem, own);
    for (size_t player = 0; player < 2; ++player) copy_recovered(made, player, solution, result);
  });
  return result;
}

}  // namespace cleave::histories
