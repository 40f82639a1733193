#include "hands/bet_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "decompose/translation.h"
#include "poker/betting_rules.h"

namespace cleave::hands {
namespace {

using poker::BettingNode;
using poker::BettingTree;
using NodeKind = BettingNode::Kind;

bool is_bet(const BettingNode& node) {
  using Kind = poker::Action::Kind;
  return node.action.kind == Kind::kBet || node.action.kind == Kind::kRaise ||
         node.action.kind == Kind::kAllIn;
}

// What the move into `child` is taken for at a node that the player stands at in its thoughts.
std::vector<Counterpart> taken_for(const BettingTree& tree, const BetMap& bets, uint32_t child,
                                   uint32_t at) {
  const BettingNode& there = tree.nodes[at];
  const BettingNode& move = tree.nodes[child];
  const double size = bets.pots[child];
  Counterpart low{0, -1}, high{0, std::numeric_limits<double>::infinity()};
  for (uint32_t c = there.first_child; c < there.first_child + there.num_children; ++c) {
    const double pots = bets.pots[c];
    if (bets.off[c]) continue;
    if (size == 0 && tree.nodes[c].action.kind == move.action.kind) return {{c, 1}};
    if (size == 0 || pots == 0) continue;
    if (pots <= size && pots > low.weight) low = {c, pots};
    if (pots >= size && pots < high.weight) high = {c, pots};
  }
  // One that the small game has under another pot is the same size but for rounding to chips.
  if (!bets.off[child] && low.node != 0 && high.node != 0) {
    (size - low.weight <= high.weight - size ? high : low).node = 0;
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

BetMap map_bets(const BettingTree& large, std::vector<bool> off) {
  BetMap map;
  map.off = std::move(off);
  map.pots.assign(large.nodes.size(), 0.0);
  for (size_t n = 1; n < large.nodes.size(); ++n) {
    if (is_bet(large.nodes[n])) map.pots[n] = large.pot_share(large.nodes[n]);
  }
  for (size_t p = 0; p < 2; ++p) map.least[p] = least_payoffs(large, p, map.off);
  return map;
}

BetMap map_bets(const poker::Betting& small, const BettingTree& large) {
  if (small.streets.size() != large.betting.streets.size() || small.stack != large.betting.stack ||
      small.committed != large.betting.committed) {
    throw core::InputError(
        "nested solving: the two games must have the same streets, stacks and blinds");
  }
  std::vector<bool> off(large.nodes.size(), false);
  // What the small game's rules would allow wherever the large game's bets lead.
  std::vector<poker::BettingState> state(large.nodes.size());
  state[0] = poker::first_situation(small).state;
  for (uint32_t n = 0; n < large.nodes.size(); ++n) {
    const BettingNode& node = large.nodes[n];
    if (node.kind == NodeKind::kDeal) state[node.first_child] = poker::deal(small, state[n]);
    if (node.kind != NodeKind::kDecision) continue;
    const std::vector<poker::Action> kept = poker::actions_at(small, state[n]);
    size_t found = 0;
    for (uint32_t c = node.first_child; c < node.first_child + node.num_children; ++c) {
      const poker::Action& action = large.nodes[c].action;
      off[c] = std::ranges::find(kept, action) == kept.end();
      found += off[c] ? 0 : 1;
      state[c] = poker::play(small, state[n], action).state;
    }
    if (found < kept.size()) {
      throw core::InputError(fmt::format(
          "nested solving: the small game must be the large one with some of its bet sizes left "
          "out, but not all that it has after '{}' are there",
          poker::line_of(large, n)));
    }
  }
  return map_bets(large, std::move(off));
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
