#include "decompose/resolve.h"

#include <fmt/format.h>

#include <deque>
#include <exception>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "core/threads.h"
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
    if (method.gifts.kind != GiftRule::Kind::kNoGifts) {
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
    const auto gadget = make_gadget_of(subgame, in);
    const Piece& piece = game_.subgames[subgame];
    const std::vector<double>& hero_reach = summaries_[subgame].reach[static_cast<size_t>(hero_)];
    if (options.exact) {
      solve_gadget_game(make_gadget_game(game_.game.tree, piece, hero_, hero_reach, gadget->form()),
                        hero_, out);
      return;
    }
    TreeEngine engine(piece);
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

  std::unique_ptr<Gadget> make_gadget_of(size_t subgame, const GadgetInput& input) const {
    try {
      return make_gadget(method_, input);
    } catch (const core::InputError& error) {
      throw core::InputError(
          fmt::format("subgame {}, player {}: {}", subgame + 1, hero_ + 1, error.what()));
    }
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
  struct Job {
    const HeroView* view;
    size_t subgame;
    std::exception_ptr failure;
  };
  std::deque<HeroView> views;
  std::vector<Job> jobs;
  for (int hero = 0; hero < 2; ++hero) {
    if (options.hero && *options.hero != hero) continue;
    views.emplace_back(game, strategy, summaries, hero, method);
    for (size_t s = 0; s < game.subgames.size(); ++s) {
      if (!options.subgame || *options.subgame == s) jobs.push_back({&views.back(), s, {}});
    }
  }
  tree::Strategy result = strategy;  // every job writes to slots of its own
  std::mutex mutex;
  size_t done = 0;
  core::parallel_for(jobs.size(), options.threads, [&](size_t i) {
    try {
      jobs[i].view->resolve(jobs[i].subgame, options, result);
    } catch (...) {
      jobs[i].failure = std::current_exception();
    }
    if (options.progress) {
      const std::lock_guard lock(mutex);
      options.progress(++done, jobs.size());
    }
  });
  for (const Job& job : jobs) {
    if (job.failure) std::rethrow_exception(job.failure);
  }
  return result;
}

}  // namespace cleave::decompose
