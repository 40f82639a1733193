#include "histories/resolve.h"

#include "histories/tree_engine.h"

namespace cleave::histories {

using decompose::Follow;
using decompose::Summary;

decompose::Entrance enter_subgame(const CutGame& game, const tree::Strategy& strategy,
                                  const std::vector<Summary>& summaries, size_t subgame,
                                  size_t hero) {
  const size_t opponent = 1 - hero;
  TreeEngine trunk(game.trunk);
  trunk.set_strategy(strategy);
  const std::vector<double> ones(trunk.num_states(hero), 1.0);
  const auto look = [&](Follow how) {
    for (size_t leaf = 0; leaf < summaries.size(); ++leaf) {
      const Summary& below = summaries[leaf];
      trunk.set_leaf_values(
          leaf, opponent,
          how == Follow::kAverage ? below.value[opponent] : below.best_response[opponent]);
    }
    return trunk.decision_values(opponent, how, ones);
  };
  const auto best = look(Follow::kBestResponse), mean = look(Follow::kAverage);
  return {summaries[subgame], way_to(game.trunk, subgame, opponent, {}, best, mean)};
}

decompose::GadgetInput make_gadget_input(const CutGame& game, const tree::Strategy& strategy,
                                         const std::vector<Summary>& summaries, size_t subgame,
                                         size_t hero, const decompose::Method& method) {
  const TreeEngine engine(game.subgames[subgame]);
  return decompose::make_gadget_input(method, engine, hero,
                                      enter_subgame(game, strategy, summaries, subgame, hero));
}

tree::Strategy resolve_all(const CutGame& game, const std::vector<Summary>& summaries,
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

void resolve_subgame(const CutGame& game, const std::vector<Summary>& summaries, size_t subgame,
                     size_t hero, const decompose::Method& method, const ResolveOptions& options,
                     tree::Strategy& strategy) {
  ResolveOptions one = options;
  one.subgame = subgame;
  one.hero = hero;
  strategy = resolve_all(game, summaries, method, one, strategy);
}

}  // namespace cleave::histories
