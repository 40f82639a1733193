#pragma once

#include <optional>

#include "cut_game.h"
#include "games/registry.h"
#include "random_games.h"
#include "random_strategy.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"

namespace cleave::histories {

// A random game, cut somewhere, with a random trunk: anything from an equilibrium to noise.
struct Case {
  explicit Case(int number)
      : name(random_game_name(number)),
        problem(solve::make_problem(*games::make_game(name))),
        random(static_cast<uint64_t>(number) * 7919 + 17) {
    make_trunk_strategy();
    Cut cut = random_cut();
    if (!cut.roots.empty()) game.emplace(take_apart(problem, std::move(cut)));
    if (game) summaries = summarise(*game, strategy);
  }

  void make_trunk_strategy() {
    strategy = random_strategy(problem.tree, random.next());
    const auto kind = random.below(3);
    if (kind == 0) return;
    const tree::Strategy equilibrium = solve::solve_lp(problem).strategy;
    const double noise = kind == 1 ? 0 : 0.3;
    for (size_t i = 0; i < strategy.size(); ++i) {
      strategy[i] = noise * strategy[i] + (1 - noise) * equilibrium[i];
    }
  }

  // Below random histories of one depth: several subgames, some of the level left in the trunk.
  Cut random_cut() {
    const tree::Tree& tree = problem.tree;
    const auto levels = static_cast<uint64_t>(tree.num_levels());
    if (levels < 3) return {};
    const size_t depth = 1 + random.below(levels - 2);
    const bool all = random.below(2) == 0;
    std::vector<uint32_t> seeds;
    for (uint32_t h = tree.level_begin[depth]; h < tree.level_begin[depth + 1]; ++h) {
      if (tree.actor[h] != tree::kTerminal && (all || random.below(2) == 0)) seeds.push_back(h);
    }
    if (seeds.empty()) return {};
    return cut_below(tree, seeds, fmt::format("depth:{}", depth));
  }

  double best_response(const tree::Strategy& profile, size_t player) const {
    return solve::certify(problem, profile).best_response[player];
  }

  std::string name;
  solve::Problem problem;
  core::Random random;
  tree::Strategy strategy;
  std::optional<CutGame> game;
  std::vector<decompose::Summary> summaries;
};

}  // namespace cleave::histories
