#include "search/minimax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "histories/profile.h"
#include "solve/evaluate.h"

namespace cleave::search {
namespace {

using tree::Tree;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::unique_ptr<Agent> make_minimax_agent(const Setting& setting, core::Params& params) {
  const auto depth = static_cast<int>(params.integer("depth", 4, 1, 1000));
  const std::string kind = params.choice("values", "zero", {"zero", "exact"});
  params.finish(minimax_info().params);
  const auto* game = dynamic_cast<const door::TreeGame*>(&setting.game);
  if (!game) core::reject("agent 'search' needs a game of perfect information");
  const Tree& tree = game->problem().tree;
  if (kind == "zero" || !tree.perfect_information) {
    return std::make_unique<MinimaxAgent>(*game, depth, [](uint32_t) { return 0.0; });
  }
  return std::make_unique<MinimaxAgent>(
      *game, depth, [values = exact_position_values(tree)](uint32_t h) { return values[h]; });
}

// What a history is worth once its children are known.
template <class ValueOf>
double back_up(const Tree& tree, uint32_t h, const ValueOf& value_of) {
  double value = tree.actor[h] == tree::kChance ? 0 : tree.actor[h] == 0 ? -kInfinity : kInfinity;
  for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
    const double below = value_of(c);
    if (tree.actor[h] == tree::kChance) {
      value += tree.probability[c] * below;
    } else {
      value = tree.actor[h] == 0 ? std::max(value, below) : std::min(value, below);
    }
  }
  return value;
}

}  // namespace

MinimaxAgent::MinimaxAgent(const door::TreeGame& game, int depth, PositionValue value)
    : game_(game), tree_(game.problem().tree), depth_(depth), value_(std::move(value)) {
  if (tree_.perfect_information) return;
  core::reject(
      "agent 'search' needs a game of perfect information; in {} players do not see "
      "everything. Use continual(...) there",
      tree_.name);
}

double MinimaxAgent::search(uint32_t history, int depth) const {
  if (tree_.actor[history] == tree::kTerminal) return tree_.payoff[tree_.infoset[history]];
  if (depth == 0) {
    const double value = value_(history);
    if (std::isfinite(value)) return value;
    core::reject("v(h) of history {} is {}; it must be a finite number", history, value);
  }
  return back_up(tree_, history, [&](uint32_t child) { return search(child, depth - 1); });
}

void MinimaxAgent::act_at(uint32_t infoset, std::span<double> probabilities) const {
  const uint32_t history = tree_.first_history[infoset];
  const double sign = tree_.actor[history] == 0 ? 1 : -1;
  std::vector<double> worth;
  for (uint32_t a = 0; a < probabilities.size(); ++a) {
    worth.push_back(sign * search(tree_.child_begin[history] + a, depth_ - 1));
  }
  const double best = *std::ranges::max_element(worth);
  const double enough = best - solve::kTieTolerance * std::max(1.0, std::abs(best));
  const auto first = std::ranges::find_if(worth, [&](double w) { return w >= enough; });
  std::ranges::fill(probabilities, 0.0);
  probabilities[static_cast<size_t>(first - worth.begin())] = 1;
}

void MinimaxAgent::act(const door::Question& question, std::span<double> probabilities) {
  door::Standing unknown;
  const uint32_t set = game_.sight().find(question, unknown);
  if (set == tree::kNone) throw core::RunError("asked at the table of another game");
  act_at(set, probabilities);
}

std::shared_ptr<const decompose::Profile> MinimaxAgent::complete() {
  tree::Strategy strategy(tree_.num_slots());
  // Numbered by player, then by level: parents come first.
  for (uint32_t set = 0; set < tree_.num_infosets(); ++set) {
    act_at(set, std::span(strategy).subspan(tree_.slot_begin[set], tree_.num_actions(set)));
  }
  return std::make_shared<histories::TreeProfile>(std::move(strategy));
}

std::vector<double> exact_position_values(const Tree& tree) {
  std::vector<double> value(tree.num_histories());
  for (auto h = static_cast<uint32_t>(tree.num_histories()); h-- > 0;) {
    value[h] = tree.actor[h] == tree::kTerminal
                   ? tree.payoff[tree.infoset[h]]
                   : back_up(tree, h, [&](uint32_t child) { return value[child]; });
  }
  return value;
}

AgentInfo minimax_info() {
  return {"search",
          "minimax to a depth, for games of perfect information",
          {{"depth", "4", "moves to look ahead, chance's counted"},
           {"values", "zero", "v(h) at the horizon: zero, or exact (by backward induction)"}},
          make_minimax_agent};
}

}  // namespace cleave::search
