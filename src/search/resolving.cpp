#include "search/resolving.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/blueprint.h"
#include "search/spec.h"

namespace cleave::search {
namespace {

std::unique_ptr<Agent> make_resolving_agent(const Setting& setting, core::Call call) {
  const std::string cut = take_text(call, "cut", "");
  const std::string method = take_text(call, "method", "resolve");
  const std::string blueprint = take_text(call, "blueprint", "solve");
  histories::ResolveOptions options;
  options.algorithm = take_text(call, "algorithm", options.algorithm);
  core::Params params("agent 'resolve'", std::move(call.arguments));
  options.iterations = params.integer("iterations", 1000, 1, int64_t{1} << 40);
  options.exact = params.boolean("exact", false);
  params.finish(resolving_info().params);
  if (cut.empty()) {
    throw core::InputError(
        "agent 'resolve' needs a cut: resolve(cut=round:R), cut=depth:D or cut=history:...");
  }
  solve::make_schedule(options.algorithm);  // refuses before the blueprint is solved
  histories::Cut made = histories::make_cut(setting.game, setting.problem.tree, cut);
  return std::make_unique<ResolvingAgent>(setting, make_blueprint(blueprint, setting),
                                          std::move(made), decompose::make_method(method), options);
}

}  // namespace

ResolvingAgent::ResolvingAgent(const Setting& setting, tree::Strategy blueprint, histories::Cut cut,
                               decompose::Method method, histories::ResolveOptions options)
    : setting_(setting),
      game_(histories::take_apart(setting.problem, std::move(cut))),
      summaries_(histories::summarise(game_, blueprint)),
      method_(std::move(method)),
      options_(std::move(options)),
      strategy_(std::move(blueprint)) {
  options_.stop = setting.stop;
  // In play the other may come to where the blueprint never does: then the blueprint is kept.
  options_.keep_unreached = true;
  for (auto& resolved : is_resolved_) resolved.assign(game_.subgames.size(), false);
}

void ResolvingAgent::act(uint32_t infoset, std::span<double> probabilities) {
  const tree::Tree& tree = setting_.problem.tree;
  const uint32_t subgame = game_.cut.subgame[tree.first_history[infoset]];
  const auto seat = static_cast<size_t>(tree.player(infoset));
  if (subgame != tree::kNone && !is_resolved_[seat][subgame]) {
    setting_.check_stop();
    try {
      histories::resolve_subgame(game_, summaries_, subgame, seat, method_, options_, strategy_);
    } catch (const core::RunError&) {
      setting_.check_stop();  // a stop has its own exception here
      throw;
    }
    is_resolved_[seat][subgame] = true;
  }
  std::copy_n(strategy_.begin() + tree.slot_begin[infoset], probabilities.size(),
              probabilities.begin());
}

AgentInfo resolving_info() {
  return {"resolve",
          "a blueprint, with each subgame below a cut re-solved on the way",
          {{"cut", "", "round:R, depth:D or history:ACTION/ACTION/..."},
           {"method", "resolve", "how, e.g. unsafe, maxmargin, reach-maxmargin(gifts=single)"},
           {"blueprint", "solve", "uniform, blueprint(file=...) or solve(...)"},
           {"algorithm", "cfr+", "of the CFR family, in the subgame"},
           {"iterations", "1000", "of each re-solve"},
           {"exact", "false", "re-solve by linear program instead"}},
          make_resolving_agent};
}

}  // namespace cleave::search
