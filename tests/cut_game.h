#pragma once

#include <vector>

#include "decompose/second_pass.h"
#include "histories/cut.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"

// A game of the tree engine taken apart, and its subgames re-solved: decompose/second_pass.h on
// strategies of the whole game.
namespace cleave::histories {

using decompose::ResolveOptions;
using decompose::summarise;

// `game` must outlive it; not to be copied: the trunk knows where its subgames stand.
struct CutGame {
  const solve::Problem& game;
  Cut cut;
  TreePiece trunk;  // its leaves are the subgames, in order
  std::vector<TreePiece> subgames;
};

inline CutGame take_apart(const solve::Problem& game, Cut cut) {
  CutGame result{game, std::move(cut), {}, {}};
  result.trunk = make_piece(game.tree, {0}, result.cut.roots);
  for (size_t s = 0; s < result.cut.roots.size(); ++s) {
    result.subgames.push_back(make_subgame(game.tree, result.cut, s));
  }
  // They stay where they are when the whole is moved.
  for (const TreePiece& piece : result.subgames) {
    result.trunk.subgames.emplace_back(std::shared_ptr<void>(), &piece);
  }
  return result;
}

// Of every subgame, from a strategy of the whole game.
inline std::vector<decompose::Summary> summarise(const CutGame& game,
                                                 const tree::Strategy& strategy) {
  std::vector<decompose::Summary> summaries;
  for (const TreePiece& piece : game.subgames) {
    TreeEngine engine(piece);
    engine.set_strategy(strategy);
    summaries.push_back(summarise(engine, border_reach(game.game.tree, piece.root, strategy)));
  }
  return summaries;
}

// One subgame as a trunk knows it. Of the strategy only the part in the trunk is read.
inline decompose::GadgetInput make_gadget_input(const CutGame& game, const tree::Strategy& strategy,
                                                const std::vector<decompose::Summary>& summaries,
                                                size_t subgame, size_t hero,
                                                const decompose::Method& method) {
  const size_t opponent = 1 - hero;
  TreeEngine trunk(game.trunk);
  trunk.set_strategy(strategy);
  const std::vector<double> ones(trunk.num_states(hero), 1.0);
  const auto look = [&](decompose::Follow how) {
    const bool average = how == decompose::Follow::kAverage;
    for (size_t leaf = 0; leaf < summaries.size(); ++leaf) {
      const decompose::Summary& below = summaries[leaf];
      trunk.set_leaf_values(leaf, opponent,
                            average ? below.value[opponent] : below.best_response[opponent]);
    }
    return trunk.decision_values(opponent, how, ones);
  };
  const auto best = look(decompose::Follow::kBestResponse);
  const auto mean = look(decompose::Follow::kAverage);
  const TreeEngine engine(game.subgames[subgame]);
  return decompose::make_gadget_input(
      method, engine, hero,
      {summaries[subgame], way_to(game.trunk, subgame, opponent, {}, best, mean)});
}

// The subgames and heroes that the options ask for, each from the given trunk and summaries.
inline tree::Strategy resolve_all(const CutGame& game,
                                  const std::vector<decompose::Summary>& summaries,
                                  const decompose::Method& method, const ResolveOptions& options,
                                  const tree::Strategy& strategy) {
  const decompose::Pass pass{.name = method.name, .summary = {}, .condition = {}, .method = method};
  TreeProfile result(strategy);
  decompose::apply(pass,
                   {.trunk = {std::shared_ptr<void>(), &game.trunk},
                    .profile = std::make_shared<TreeProfile>(strategy),
                    .root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}},
                    .summaries = summaries,
                    .solving = options},
                   &result);
  return result.strategy();
}

// Replaces the hero's strategy in one subgame.
inline void resolve_subgame(const CutGame& game, const std::vector<decompose::Summary>& summaries,
                            size_t subgame, size_t hero, const decompose::Method& method,
                            const ResolveOptions& options, tree::Strategy& strategy) {
  ResolveOptions one = options;
  one.subgame = subgame;
  one.hero = hero;
  strategy = resolve_all(game, summaries, method, one, strategy);
}

}  // namespace cleave::histories
