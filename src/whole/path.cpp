#include "whole/path.h"

#include <algorithm>
#include <limits>

namespace cleave::whole {
namespace {

using NodeKind = poker::BettingNode::Kind;

double least_payoff(const poker::BettingTree& tree, uint32_t node, int player) {
  const poker::BettingNode& n = tree.nodes[node];
  if (n.kind == NodeKind::kFold || n.kind == NodeKind::kShowdown) {
    const auto payoffs = tree.payoffs(node, player);
    return std::min({payoffs.win, payoffs.lose, payoffs.tie});
  }
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t c = 0; c < n.num_children; ++c) {
    least = std::min(least, least_payoff(tree, n.first_child + c, player));
  }
  return least;
}

}  // namespace

Paths::Paths(const Game& game, Blueprint& blueprint) : game_(game), blueprint_(blueprint) {
  for (size_t p = 0; p < 2; ++p) {
    for (const bool best : {false, true}) {
      leaf_values_[p][best ? 1 : 0] = blueprint.leaf_values(p, best);
    }
  }
  place_.resize(game.setup().tree.nodes.size());
  for (uint32_t s = 0; s < game.last; ++s) {
    const auto& nodes = game.layout.streets[s].nodes;
    for (uint32_t n = 0; n < nodes.size(); ++n) place_[nodes[n].source] = {s, n};
  }
}

void Paths::give_leaf_values(bool best_response) {
  std::vector<double> values;
  for (size_t p = 0; p < 2; ++p) {
    const auto& all = leaf_values(p, best_response);
    for (size_t leaf = 0; leaf < all.size(); ++leaf) {
      const size_t states = blueprint_.trunk().num_leaf_states(leaf, static_cast<int>(p));
      values.assign(all[leaf].begin(), all[leaf].begin() + static_cast<ptrdiff_t>(states));
      blueprint_.trunk().set_leaf_values(leaf, static_cast<int>(p), values);
    }
  }
}

std::vector<const PathStep*> Paths::steps(size_t board, size_t line, size_t opponent) {
  const std::lock_guard lock(blueprint_.trunk_mutex());
  const auto& tree = game_.setup().tree;
  std::vector<const PathStep*> out;
  uint32_t node = tree.nodes[game_.entry(line)].parent;
  auto on = static_cast<uint32_t>(board);
  uint32_t street = static_cast<uint32_t>(game_.last) - 1;
  while (node != 0) {
    const uint32_t parent = tree.nodes[node].parent;
    const auto [s, n] = place_[parent];
    while (street > s) on = game_.layout.streets[street--].boards[on].parent;
    const poker::BettingNode& decision = tree.nodes[parent];
    if (decision.kind == NodeKind::kDecision && decision.player == opponent) {
      out.push_back(&step({s, on, n}, node - decision.first_child, opponent));
    }
    node = parent;
  }
  std::ranges::reverse(out);
  return out;
}

const PathStep& Paths::step(const Place& place, uint32_t taken, size_t opponent) {
  const auto [at, is_new] = steps_.try_emplace({place, taken});
  PathStep& out = at->second;
  if (!is_new) return out;
  const hands::Street& street = game_.layout.streets[place.street];
  const hands::Node& node = street.nodes[place.node];
  const std::vector<double> ones(game_.setup().hands[0].size(), 1.0);
  const decompose::Vectors all = {ones, ones};
  hands::VectorEngine& trunk = blueprint_.trunk();
  const auto look = [&](uint32_t n) {
    return trunk.look(static_cast<int>(place.street), place.board, n, all);
  };
  give_leaf_values(true);
  const hands::View here = look(place.node);
  out.best = here.best_response[opponent];
  out.best_taken = look(node.first_child + taken).best_response[opponent];
  out.reach = reach_met(game_.setup().hands[0], here.reach[1 - opponent]);
  for (double& x : out.reach) x *= street.weight;
  give_leaf_values(false);
  out.taken = look(node.first_child + taken).values[opponent];
  out.other.assign(ones.size(), -std::numeric_limits<double>::infinity());
  out.guaranteed = -std::numeric_limits<double>::infinity();
  for (uint32_t a = 0; a < node.num_children; ++a) {
    const uint32_t child = game_.setup().tree.nodes[node.source].first_child + a;
    out.guaranteed = std::max(out.guaranteed,
                              least_payoff(game_.setup().tree, child, static_cast<int>(opponent)));
    if (a == taken) continue;
    const hands::View view = look(node.first_child + a);
    for (size_t h = 0; h < ones.size(); ++h) {
      out.other[h] = std::max(out.other[h], view.values[opponent][h]);
    }
  }
  return out;
}

std::vector<decompose::Gift> gifts_of(const std::vector<const PathStep*>& steps, size_t hand,
                                      double rho) {
  std::vector<decompose::Gift> gifts;
  for (const PathStep* step : steps) {
    const double reach = step->reach[hand];
    if (reach <= 0) continue;
    decompose::Gift gift;
    gift.gain = std::max(0.0, (step->best[hand] - step->best_taken[hand]) / reach);
    gift.bound = std::max(0.0, step->guaranteed - step->best_taken[hand] / reach);
    gift.reach = rho / reach;
    gift.sole = true;  // a hand stays the same hand
    gifts.push_back(gift);
  }
  return gifts;
}

double detour(const std::vector<const PathStep*>& steps, size_t hand) {
  double most = -std::numeric_limits<double>::infinity();
  for (const PathStep* step : steps) most = std::max(most, step->other[hand] - step->taken[hand]);
  return most;
}

}  // namespace cleave::whole
