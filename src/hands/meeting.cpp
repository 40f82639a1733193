#include "hands/meeting.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace cleave::hands {

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
