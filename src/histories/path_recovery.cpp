#include "histories/path_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"
#include "solve/evaluate.h"

namespace cleave::histories {

using tree::kNone;
using tree::kTerminal;
using tree::Strategy;
using tree::Treatment;
using tree::Tree;

namespace {

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

}  // namespace

std::string path_recovery_guarantee(const PathRecoveryOptions& options, size_t num_subgames) {
  if (options.off_path == OffPath::kSampled) return "no guarantee: off-path values are estimates";
  if (options.path == Path::kLiteral)
    return "no guarantee unless the path to the subgame is public";
  const bool best_response = options.off_path == OffPath::kBestResponse;
  if (num_subgames > 1 && !(options.in_turn && best_response)) {
    return "no guarantee for several subgames together: each may use up the same slack";
  }
  if (best_response) {
    return "safe: never more exploitable than the trunk, up to solving error";
  }
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

void recover_path(const solve::Problem& game, const Cut& cut, uint32_t subgame, size_t hero,
                  const Strategy& trunk, const PathRecoveryOptions& options, Strategy& result) {
  const RecoveryGame made = make_path_recovery_game(game, cut, subgame, hero, trunk, options);
  copy_recovered(made, hero, find_equilibrium(made.problem, options.solving), result);
}

Strategy recover_paths(const solve::Problem& game, const Cut& cut,
                       const std::vector<uint32_t>& subgames, const Strategy& trunk,
                       const PathRecoveryOptions& options) {
  const auto with_seed = [&](size_t task) {
    PathRecoveryOptions own = options;
    own.solving.seed += task;
    return own;
  };
  Strategy result = trunk;  // tasks write to different information sets of it
  if (!options.in_turn) {
    core::parallel_for(2 * subgames.size(), options.solving.threads, [&](size_t task) {
      recover_path(game, cut, subgames[task / 2], task % 2, trunk, with_seed(task), result);
    });
    return result;
  }
  std::array<Strategy, 2> own = {trunk, trunk};  // [hero]: the opponent's part stays the trunk's
  core::parallel_for(2, options.solving.threads, [&](size_t hero) {
    for (size_t i = 0; i < subgames.size(); ++i) {
      const Strategy before = own[hero];
      recover_path(game, cut, subgames[i], hero, before, with_seed(2 * i + hero), own[hero]);
    }
  });
  const uint32_t second = game.tree.slot_begin[game.tree.infoset_begin[1]];
  std::copy(own[0].begin(), own[0].begin() + second, result.begin());
  std::copy(own[1].begin() + second, own[1].end(), result.begin() + second);
  return result;
}

}  // namespace cleave::histories
