#include "decompose/resolve.h"

#include <optional>

#include "core/error.h"
#include "decompose/gadget_game.h"
#include "decompose/resolver.h"
#include "decompose/tree_engine.h"

namespace cleave::decompose {
namespace {

// A trunk seen from one hero: what is shared by its subgames.
class HeroView {
 public:
  HeroView(const CutGame& game, const tree::Strategy& strategy,
           const std::vector<Summary>& summaries, int hero, const Method& method)
      : game_(game), summaries_(summaries), hero_(hero), method_(method) {
    if (method.gifts.kind != GiftRule::Kind::kNone) {
      finder_.emplace(game, strategy, summaries, 1 - hero);
    }
  }

  GadgetInput input(size_t subgame) const {
    const Summary& summary = summaries_[subgame];
    const auto opp = static_cast<size_t>(1 - hero_);
    const Piece& piece = game_.subgames[subgame];
    GadgetInput input;
    input.trunk_reach = summary.reach[opp];
    input.counterfactual_reach.assign(input.trunk_reach.size(), 0.0);
    for (size_t i = 0; i < piece.root.histories.size(); ++i) {
      input.counterfactual_reach[piece.root.state_of[opp][i]] +=
          piece.chance[i] * summary.reach[1 - opp][piece.root.state_of[1 - opp][i]];
    }
    std::vector<std::vector<Gift>> gifts;
    if (finder_) gifts = finder_->at(subgame);
    input.alternatives = make_alternatives(method_, input.counterfactual_reach,
                                           summary.best_response[opp], summary.value[opp], gifts);
    return input;
  }

  void resolve(size_t subgame, const ResolveOptions& options, tree::Strategy& out) const {
    const GadgetInput in = input(subgame);
    const bool skips = options.keep_unreached || !method_.gadget->needs_trunk_reach;
    if (skips && !is_reachable(in)) return;
    const auto gadget = make_gadget(method_, in);
    const Piece& piece = game_.subgames[subgame];
    const std::vector<double>& hero_reach = summaries_[subgame].reach[static_cast<size_t>(hero_)];
    if (options.exact) {
      solve_gadget_game(make_gadget_game(game_.game.tree, piece, hero_, hero_reach, gadget->form()),
                        hero_, out);
      return;
    }
    TreeEngine engine(piece, options.threads);
    Resolver resolver(engine, *gadget, hero_, hero_reach,
                      solve::make_schedule(options.algorithm, options.iterations));
    while (resolver.iterations() < options.iterations) {
      if (options.stop && options.stop->load(std::memory_order_relaxed)) {
        throw core::RunError("stopped while re-solving");
      }
      resolver.iterate();
    }
    engine.copy_strategy(hero_, out);
  }

 private:
  // Whether there is anything to solve: the hero must come to the subgame and, for gadgets that
  // go by the trunk's reach, so must the opponent.
  bool is_reachable(const GadgetInput& input) const {
    double mass = 0;
    for (size_t s = 0; s < input.trunk_reach.size(); ++s) {
      mass += input.counterfactual_reach[s] *
              (method_.gadget->needs_trunk_reach ? input.trunk_reach[s] : 1);
    }
    return mass > 0;
  }

  const CutGame& game_;
  const std::vector<Summary>& summaries_;
  int hero_;
  const Method& method_;
  std::optional<GiftFinder> finder_;
};

}  // namespace

GadgetInput make_gadget_input(const CutGame& game, const tree::Strategy& strategy,
                              const std::vector<Summary>& summaries, size_t subgame, int hero,
                              const Method& method) {
  return HeroView(game, strategy, summaries, hero, method).input(subgame);
}

void resolve_subgame(const CutGame& game, const std::vector<Summary>& summaries, size_t subgame,
                     int hero, const Method& method, const ResolveOptions& options,
                     tree::Strategy& strategy) {
  HeroView(game, strategy, summaries, hero, method).resolve(subgame, options, strategy);
}

tree::Strategy resolve_all(const CutGame& game, const std::vector<Summary>& summaries,
                           const Method& method, const ResolveOptions& options,
                           const tree::Strategy& strategy) {
  tree::Strategy result = strategy;
  for (int hero = 0; hero < 2; ++hero) {
    const HeroView view(game, strategy, summaries, hero, method);
    for (size_t subgame = 0; subgame < game.subgames.size(); ++subgame) {
      view.resolve(subgame, options, result);
      if (options.progress) options.progress(subgame + 1, hero);
    }
  }
  return result;
}

}  // namespace cleave::decompose
