#include "histories/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"
#include "histories/piece.h"
#include "solve/evaluate.h"
#include "solve/solver.h"

namespace cleave::histories {

using tree::kNone;
using tree::kTerminal;
using tree::Strategy;
using tree::Treatment;
using tree::Tree;

namespace {

RecoveryGame make_ready(tree::Derived derived) {
  return {solve::make_problem(std::move(derived.tree)), std::move(derived.source_slot)};
}

// The game a recipe makes of the source, ready to be solved; hero's moves outside T are to be fixed
// in it.
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

// [history]: E[u | h] for player one, without the shift.
std::vector<double> expected_payoffs(const Tree& game, const Strategy& strategy) {
  std::vector<double> value(game.num_histories(), 0.0);
  for (auto h = static_cast<uint32_t>(game.num_histories()); h-- > 0;) {
    if (game.actor[h] == kTerminal) value[h] = game.payoff[game.infoset[h]];
    if (h > 0) value[game.parent[h]] += tree::probability_of_step(game, strategy, h) * value[h];
  }
  return value;
}

double play_out(const Tree& game, const Strategy& strategy, uint32_t h, core::Random& random) {
  while (game.actor[h] != kTerminal) {
    double left = random.uniform();
    uint32_t child = kNone;
    for (uint32_t c = game.child_begin[h]; c < game.child_begin[h + 1]; ++c) {
      const double probability = tree::probability_of_step(game, strategy, c);
      if (probability <= 0) continue;
      child = c;  // rounding at the end must not reach an action that is never taken
      if (left < probability) break;
      left -= probability;
    }
    h = child;
  }
  return game.payoff[game.infoset[h]];
}

// Fills in value[h] of the histories marked, in ascending order.
std::vector<double> sampled_payoffs(const Tree& game, const Strategy& strategy,
                                    const std::vector<bool>& marked, int64_t playouts,
                                    uint64_t seed) {
  core::Random random(seed);
  std::vector<double> value(game.num_histories(), 0.0);
  for (uint32_t h = 0; h < value.size(); ++h) {
    if (!marked[h]) continue;
    double sum = 0;
    for (int64_t i = 0; i < playouts; ++i) sum += play_out(game, strategy, h, random);
    value[h] = sum / static_cast<double>(playouts);
  }
  return value;
}

// Ancestors of T.
void mark_ancestors(const Tree& game, const std::vector<bool>& inside, std::vector<bool>& kept) {
  for (auto h = static_cast<uint32_t>(game.num_histories()); h-- > 1;) {
    if ((inside[h] || kept[h]) && !inside[game.parent[h]]) kept[game.parent[h]] = true;
  }
}

// Every task draws from a seed of its own.
Strategy solve_task(const RecoveryGame& game, RecoveryOptions options, size_t task) {
  options.seed += task;
  return find_equilibrium(game.problem, options);
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
  std::vector<double> reach(game.num_histories(), 1.0);  // when both follow the trunk
  for (uint32_t h = 1; h < reach.size(); ++h) {
    reach[h] = reach[game.parent[h]] * tree::probability_of_step(game, trunk, h);
  }
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
    copy_recovered(made, hero, solve_task(made, options, task), result);
  });
  return result;
}

Strategy recover_by_standard(const solve::Problem& game, const Cut& cut, const Strategy& trunk,
                             const RecoveryOptions& options) {
  Strategy result = trunk;
  core::parallel_for(cut.roots.size(), options.threads, [&](size_t subgame) {
    const RecoveryGame made =
        make_standard_game(game.tree, cut, static_cast<uint32_t>(subgame), trunk);
    const Strategy solution = solve_task(made, options, subgame);
    for (size_t player = 0; player < 2; ++player) copy_recovered(made, player, solution, result);
  });
  return result;
}

std::string path_recovery_guarantee(const PathRecoveryOptions& options, size_t num_subgames) {
  if (options.off_path == OffPath::kSampled) return "no guarantee: off-path values are estimates";
  if (options.path == Path::kLiteral)
    return "no guarantee unless the path to the subgame is public";
  const bool best_response = options.off_path == OffPath::kBestResponse;
  if (num_subgames > 1 && !(options.in_turn && best_response)) {
    return "no guarantee for several subgames together: each may use up the same slack";
  }
  if (best_response) return "safe: never more exploitable than the trunk, up to solving error";
  return "from an equilibrium with counterfactual best responses an equilibrium; from any other "
         "trunk no guarantee";
}

std::vector<bool> path_to(const Tree& game, const Cut& cut, uint32_t subgame, size_t hero,
                          Path path) {
  const std::vector<bool> inside = histories_inside(cut, subgame);
  std::vector<bool> kept(game.num_histories(), false);
  mark_ancestors(game, inside, kept);
  if (path == Path::kLiteral) return kept;
  std::vector<bool> set_kept(game.num_infosets(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t h = 0; h < kept.size(); ++h) {
      if (kept[h] && game.actor[h] == 1 - hero) set_kept[game.infoset[h]] = true;
    }
    for (size_t h = 0; h < kept.size(); ++h) {
      if (kept[h] || game.actor[h] != 1 - hero || !set_kept[game.infoset[h]]) continue;
      kept[h] = changed = true;
    }
    if (changed) mark_ancestors(game, inside, kept);
  }
  return kept;
}

RecoveryGame make_path_recovery_game(const solve::Problem& game, const Cut& cut, uint32_t subgame,
                                     size_t hero, const Strategy& trunk,
                                     const PathRecoveryOptions& options) {
  const Tree& tree = game.tree;
  const std::vector<bool> inside = histories_inside(cut, subgame);
  const std::vector<bool> kept = path_to(tree, cut, subgame, hero, options.path);
  std::vector<double> value;
  if (options.off_path == OffPath::kSampled) {
    if (options.playouts < 1) {
      throw core::InputError(
          fmt::format("path recovery: {} playouts per off-path history; allowed is 1 or more",
                      options.playouts));
    }
    std::vector<bool> leaves(tree.num_histories(), false);
    for (uint32_t h = 1; h < leaves.size(); ++h) {
      leaves[h] = kept[tree.parent[h]] && !kept[h] && !inside[h];
    }
    value = sampled_payoffs(tree, trunk, leaves, options.playouts, options.solving.seed);
  } else if (options.off_path == OffPath::kBestResponse) {
    Strategy profile = trunk;
    solve::best_respond(game, 1 - hero, profile);
    value = expected_payoffs(tree, profile);
  } else {
    value = expected_payoffs(tree, trunk);
  }
  tree::Recipe recipe;
  recipe.name = fmt::format("{} (path recovery of player {})", tree.name, hero + 1);
  recipe.strategy = &trunk;
  recipe.treat = [&](uint32_t h) {
    if (inside[h]) return Treatment::kKeep;
    if (!kept[h]) return Treatment::kEnd;
    return tree.actor[h] == hero ? Treatment::kFix : Treatment::kKeep;
  };
  recipe.value = [&](uint32_t h) { return value[h]; };
  return make_recovery_game(tree, recipe);
}

Strategy recover_paths(const solve::Problem& game, const Cut& cut,
                       const std::vector<uint32_t>& subgames, const Strategy& trunk,
                       const PathRecoveryOptions& options) {
  const auto recover = [&](size_t task, const Strategy& from, Strategy& into) {
    const size_t hero = task % 2;
    PathRecoveryOptions own = options;
    own.solving.seed += task;
    const RecoveryGame made =
        make_path_recovery_game(game, cut, subgames[task / 2], hero, from, own);
    copy_recovered(made, hero, solve_task(made, options.solving, task), into);
  };
  // [hero]: the opponent's part stays the trunk's. Tasks write to different information sets.
  std::array<Strategy, 2> result = {trunk, trunk};
  if (options.in_turn) {
    core::parallel_for(2, options.solving.threads, [&](size_t hero) {
      for (size_t i = 0; i < subgames.size(); ++i) {
        const Strategy before = result[hero];
        recover(2 * i + hero, before, result[hero]);
      }
    });
  } else {
    core::parallel_for(2 * subgames.size(), options.solving.threads,
                       [&](size_t task) { recover(task, trunk, result[task % 2]); });
  }
  const uint32_t second = game.tree.slot_begin[game.tree.infoset_begin[1]];
  std::copy(result[1].begin() + second, result[1].end(), result[0].begin() + second);
  return result[0];
}

}  // namespace cleave::histories
