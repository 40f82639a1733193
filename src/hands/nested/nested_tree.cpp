#include "hands/nested/nested_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "decompose/translation.h"

namespace cleave::hands {
namespace {

using poker::BettingNode;
using poker::BettingTree;
using NodeKind = BettingNode::Kind;

// The sizes of a street in pots, from small to large.
std::vector<double> pots_of(const poker::Betting::Street& street, size_t player) {
  const poker::StreetSizes& sizes = street.sizes[player];
  for (const poker::Sizes& raise : sizes.raise) {
    if (raise != sizes.bet) {
      throw core::InputError(
          "nested solving: bets and raises of a street must have the same sizes");
    }
  }
  std::vector<double> pots;
  for (const poker::Size& size : sizes.bet) {
    if (size.kind != poker::Size::Kind::kPot) {
      throw core::InputError("nested solving: all bets must be a percentage of the pot, as in 75%");
    }
    pots.push_back(size.value / 100);
  }
  std::ranges::sort(pots);
  return pots;
}

bool is_bet(const BettingNode& node) {
  using Kind = poker::Action::Kind;
  return node.action.kind == Kind::kBet || node.action.kind == Kind::kRaise ||
         node.action.kind == Kind::kAllIn;
}

// The bets at a decision, from small to large.
std::vector<uint32_t> bets_at(const BettingTree& tree, uint32_t node) {
  std::vector<uint32_t> bets;
  const BettingNode& n = tree.nodes[node];
  for (uint32_t c = n.first_child; c < n.first_child + n.num_children; ++c) {
    if (is_bet(tree.nodes[c])) bets.push_back(c);
  }
  return bets;
}

void find_least(const BettingTree& tree, BetMap& map) {
  for (size_t p = 0; p < 2; ++p) {
    auto& least = map.least[p];
    least.assign(tree.nodes.size(), std::numeric_limits<double>::infinity());
    for (auto n = static_cast<uint32_t>(tree.nodes.size()); n-- > 0;) {
      const BettingNode& node = tree.nodes[n];
      if (node.kind == NodeKind::kFold || node.kind == NodeKind::kShowdown) {
        const auto payoffs = tree.payoffs(n, p);
        least[n] = std::min({payoffs.win, payoffs.lose, payoffs.tie});
      }
      if (n > 0 && !map.off[n]) least[node.parent] = std::min(least[node.parent], least[n]);
    }
  }
}

void check_small_tree(const BettingTree& small, const BettingTree& large, const BetMap& map) {
  const BettingTree copy = copy_tree(large, 0, [&](uint32_t n) { return !map.off[n]; }).tree;
  const auto same = [](const BettingNode& a, const BettingNode& b) {
    return a.kind == b.kind && a.player == b.player && a.num_children == b.num_children &&
           a.action == b.action && a.put == b.put && a.first_child == b.first_child;
  };
  if (!std::ranges::equal(small.nodes, copy.nodes, same)) {
    throw core::InputError(
        "nested solving: the small game must be the large one with some of its bet sizes left out");
  }
}

// What the move into `child` is taken for at a node that the player stands at in its thoughts.
std::vector<Counterpart> taken_for(const BettingTree& tree, const BetMap& bets, uint32_t child,
                                   uint32_t at) {
  const BettingNode& there = tree.nodes[at];
  const BettingNode& move = tree.nodes[child];
  Counterpart low{0, -1}, high{0, std::numeric_limits<double>::infinity()};
  for (uint32_t c = there.first_child; c < there.first_child + there.num_children; ++c) {
    if (bets.off[c]) continue;
    const double pots = bets.pots[c];
    if (pots == bets.pots[child] && (pots > 0 || tree.nodes[c].action.kind == move.action.kind)) {
      return {{c, 1}};
    }
    if (pots == 0 || bets.pots[child] == 0) continue;
    if (pots < bets.pots[child] && pots > low.weight) low = {c, pots};
    if (pots > bets.pots[child] && pots < high.weight) high = {c, pots};
  }
  if (low.node == 0 && high.node == 0) {
    throw core::InputError(
        fmt::format("translation: there is nothing to take '{}' for", poker::line_of(tree, child)));
  }
  if (low.node == 0) return {{high.node, 1}};
  if (high.node == 0) return {{low.node, 1}};
  const double p = decompose::pseudo_harmonic(low.weight, bets.pots[child], high.weight);
  return {{low.node, p}, {high.node, 1 - p}};
}

}  // namespace

BetMap map_bets(const BettingTree& small, const BettingTree& large) {
  BetMap map;
  map.off.assign(large.nodes.size(), false);
  map.pots.assign(large.nodes.size(), 0.0);
  if (small.betting.streets.size() != large.betting.streets.size()) {
    throw core::InputError("nested solving: the two games must have the same streets");
  }
  for (uint32_t n = 0; n < large.nodes.size(); ++n) {
    const BettingNode& node = large.nodes[n];
    const std::vector<uint32_t> bets = bets_at(large, n);
    if (node.kind != NodeKind::kDecision || bets.empty()) continue;
    const auto pots = pots_of(large.betting.streets[node.street], node.player);
    const auto kept = pots_of(small.betting.streets[node.street], node.player);
    if (bets.size() != pots.size()) {
      throw core::InputError(fmt::format(
          "nested solving: {} bets after '{}', not one of each size: take larger stacks or sizes "
          "further apart",
          bets.size(), poker::line_of(large, n)));
    }
    for (size_t i = 0; i < bets.size(); ++i) {
      map.pots[bets[i]] = pots[i];
      map.off[bets[i]] = !std::ranges::binary_search(kept, pots[i]);
    }
  }
  check_small_tree(small, large, map);
  find_least(large, map);
  return map;
}

std::vector<std::vector<Counterpart>> find_counterparts(const BettingTree& large,
                                                        const BetMap& bets, size_t hero) {
  std::vector<std::vector<Counterpart>> out(large.nodes.size());
  out[0] = {{0, 1}};
  for (uint32_t n = 1; n < large.nodes.size(); ++n) {
    const BettingNode& node = large.nodes[n];
    const BettingNode& parent = large.nodes[node.parent];
    if (parent.kind == NodeKind::kDecision && parent.player == hero && bets.off[n]) continue;
    for (const Counterpart& from : out[node.parent]) {
      if (parent.kind == NodeKind::kDeal) {
        out[n].push_back({large.nodes[from.node].first_child, from.weight});
        continue;
      }
      for (const Counterpart& to : taken_for(large, bets, n, from.node)) {
        out[n].push_back({to.node, from.weight * to.weight});
      }
    }
  }
  return out;
}

}  // namespace cleave::hands
