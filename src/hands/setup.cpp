#include "hands/setup.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <unordered_map>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::hands {

using poker::BettingNode;
using poker::BettingTree;
using poker::CardSet;

double choose(int n, int k) {
  double c = 1;
  for (int i = 0; i < k; ++i) c = c * (n - i) / (i + 1);
  return c;
}

std::vector<poker::Deal> first_deals(const Setup& setup) {
  return poker::deals(setup.deck & ~setup.board, setup.deals.at(1), setup.symmetry);
}

void keep_deals(Setup& setup, const std::vector<poker::Deal>& some) {
  size_t all = 0, kept = 0;
  for (const poker::Deal& deal : first_deals(setup)) all += deal.images.size();
  setup.only.clear();
  for (const poker::Deal& deal : some) {
    setup.only.push_back(deal.cards);
    kept += deal.images.size();
  }
  setup.only_scale = static_cast<double>(all) / static_cast<double>(kept);
}

Setup make_setup(const poker::Definition& definition, const std::optional<poker::Sizes>& sizes) {
  if (definition.hole_cards > 2) {
    throw core::InputError(fmt::format("{}: hands of {} cards; the vector engine knows one and two",
                                       definition.name, definition.hole_cards));
  }
  Setup setup;
  setup.tree = build_betting_tree(make_betting(definition, sizes));
  setup.deck = definition.deck();
  setup.hole_cards = definition.hole_cards;
  for (const auto& round : definition.rounds) setup.deals.push_back(round.board_cards);
  if (setup.deals.front() > 0) {
    throw core::InputError(
        fmt::format("{}: cards on the board before the first bet are not supported by the vector "
                    "engine; allowed is 0 for the first round",
                    definition.name));
  }
  std::vector<CardSet> hands;
  for (const auto& deal : poker::deals(setup.deck, setup.hole_cards, {poker::kSameSuits})) {
    hands.push_back(deal.cards);
  }
  setup.hands = {hands, hands};
  uint64_t pairs = 0;
  for (const CardSet a : hands) {
    for (const CardSet b : hands) pairs += (a & b) == 0;
  }
  setup.pair_weight = 1.0 / static_cast<double>(pairs);
  return setup;
}

TreeCopy copy_tree(const BettingTree& tree, uint32_t root,
                   const std::function<bool(uint32_t node)>& keeps) {
  TreeCopy out;
  out.tree.betting = tree.betting;
  const int top = tree.nodes[root].street;
  auto& streets = out.tree.betting.streets;
  streets.erase(streets.begin(), streets.begin() + top);
  // Breadth first within a street, as every betting tree.
  std::vector<std::deque<std::pair<uint32_t, uint32_t>>> open(streets.size());
  open[0].emplace_back(root, 0);
  for (size_t street = 0; street < open.size(); ++street) {
    for (; !open[street].empty(); open[street].pop_front()) {
      const auto [from, parent] = open[street].front();
      BettingNode copy = tree.nodes[from];
      const auto at = static_cast<uint32_t>(out.tree.nodes.size());
      copy.parent = parent;
      copy.street = static_cast<uint8_t>(copy.street - top);
      copy.first_child = 0;
      copy.num_children = 0;
      if (at > 0) {
        BettingNode& above = out.tree.nodes[parent];
        if (above.num_children++ == 0) above.first_child = at;
      }
      out.tree.nodes.push_back(copy);
      out.source.push_back(from);
      const bool deal = copy.kind == BettingNode::Kind::kDeal;
      const BettingNode& source = tree.nodes[from];
      for (uint32_t c = source.first_child; c < source.first_child + source.num_children; ++c) {
        if (keeps(c)) open[street + (deal ? 1 : 0)].emplace_back(c, at);
      }
    }
  }
  return out;
}

Setup below(const Setup& setup, uint32_t node, CardSet board) {
  Setup out = setup;
  const int street = setup.tree.nodes[node].street;
  TreeCopy copy = copy_tree(setup.tree, node, [](uint32_t) { return true; });
  out.tree = std::move(copy.tree);
  for (uint32_t& source : copy.source) source = setup.origin_of(source);
  out.origin = std::move(copy.source);
  out.board = board;
  out.deals.erase(out.deals.begin(), out.deals.begin() + street);
  out.deals.front() = 0;
  if (setup.last_street != 255) out.last_street -= street;
  for (auto& hands : out.hands) std::erase_if(hands, [&](CardSet h) { return (h & board) != 0; });
  out.symmetry = poker::keeping(setup.symmetry, board);
  if (street > 0) {
    out.pair_weight *= setup.only_scale;
    out.only.clear();
    out.only_scale = 1;
  }
  // Chance's reach of the board, the same for every two hands that avoid it.
  int cards_left = std::popcount(setup.deck & ~setup.board) - 2 * setup.hole_cards;
  for (int s = 1; s <= street; ++s) {
    const int cards = setup.deals[static_cast<size_t>(s)];
    out.pair_weight /= choose(cards_left, cards);
    cards_left -= cards;
  }
  return out;
}

std::vector<double> reach_met(const std::vector<poker::CardSet>& own,
                              const std::vector<poker::CardSet>& other,
                              std::span<const double> other_reach) {
  std::array<double, poker::kNumCards> by_card = {};
  std::unordered_map<poker::CardSet, double> same;
  double total = 0;
  for (size_t j = 0; j < other.size(); ++j) {
    total += other_reach[j];
    same[other[j]] = other_reach[j];
    for (const poker::Card c : poker::cards_in(other[j])) by_card[c] += other_reach[j];
  }
  std::vector<double> met;
  met.reserve(own.size());
  for (const poker::CardSet hand : own) {
    double sum = total;
    for (const poker::Card c : poker::cards_in(hand)) sum -= by_card[c];
    // Both cards in common was taken off twice.
    const bool has_two = (hand & (hand - 1)) != 0;
    const auto equal = same.find(hand);
    if (has_two && equal != same.end()) sum += equal->second;
    met.push_back(std::max(sum, 0.0));
  }
  return met;
}

std::vector<double> least_payoffs(const poker::BettingTree& tree, size_t player,
                                  const std::vector<bool>& off) {
  std::vector<double> least(tree.nodes.size(), std::numeric_limits<double>::infinity());
  for (auto n = static_cast<uint32_t>(tree.nodes.size()); n-- > 0;) {
    const poker::BettingNode& node = tree.nodes[n];
    if (node.kind == poker::BettingNode::Kind::kFold ||
        node.kind == poker::BettingNode::Kind::kShowdown) {
      const auto payoffs = tree.payoffs(n, static_cast<int>(player));
      least[n] = std::min({payoffs.win, payoffs.lose, payoffs.tie});
    }
    const bool is_off = !off.empty() && off[n];
    if (n > 0 && !is_off) least[node.parent] = std::min(least[node.parent], least[n]);
  }
  return least;
}

}  // namespace cleave::hands
