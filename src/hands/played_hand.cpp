#include "hands/played_hand.h"

#include <numeric>

namespace cleave::hands {

using NodeKind = poker::BettingNode::Kind;

Dealer::Dealer(const Problem& problem) : problem_(problem), first_(problem.reach[0]) {
  for (size_t h = 0; h < first_.size(); ++h) {
    const auto others = meeting(problem.setup.hands[0][h]);
    first_[h] *= std::accumulate(others.begin(), others.end(), 0.0);
  }
}

std::vector<double> Dealer::meeting(poker::CardSet hand) const {
  std::vector<double> out = problem_.reach[1];
  for (size_t h = 0; h < out.size(); ++h) {
    if ((problem_.setup.hands[1][h] & hand) != 0) out[h] = 0;
  }
  return out;
}

std::array<poker::CardSet, 2> Dealer::deal(core::Random& random) const {
  const auto& hands = problem_.setup.hands;
  const poker::CardSet first = hands[0][random.draw(first_)];
  return {first, hands[1][random.draw(meeting(first))]};
}

PlayedHand::PlayedHand(const Problem& problem, std::array<poker::CardSet, 2> cards)
    : problem_(&problem), cards_(cards), board_(problem.board) {}

size_t PlayedHand::cards_due() const {
  const std::vector<int>& deals = problem_->setup.deals;
  if (node().kind == NodeKind::kDeal) {
    return static_cast<size_t>(deals[node().street + size_t{1}]);
  }
  if (node().kind != NodeKind::kShowdown) return 0;
  const int all = std::accumulate(deals.begin(), deals.end(), 0);
  return problem_->board.size() + static_cast<size_t>(all) - board_.size();
}

games::Actor PlayedHand::actor() const {
  if (node().kind == NodeKind::kDecision) return node().player;
  const bool dealt = node().kind == NodeKind::kDeal || cards_due() > 0;
  return dealt ? games::kChance : games::kTerminal;
}

void PlayedHand::take(size_t action) {
  const auto player = static_cast<games::Actor>(node().player);
  node_ = node().first_child + static_cast<uint32_t>(action);
  events_.push_back({player, poker::to_text(node().action)});
}

void PlayedHand::deal(core::Random& random) {
  poker::CardSet left = problem_->setup.deck & ~cards_[0] & ~cards_[1];
  for (const poker::Card card : board_) left &= ~poker::set_of(card);
  poker::CardSet dealt = 0;
  for (size_t due = cards_due(); due > 0; --due) {
    const auto cards = poker::cards_in(left);
    const poker::CardSet card = poker::set_of(cards[random.below(cards.size())]);
    left &= ~card;
    dealt |= card;
  }
  const auto cards = poker::cards_in(dealt);
  board_.insert(board_.end(), cards.rbegin(), cards.rend());
  events_.push_back({games::kChance, poker::to_text(dealt)});
  if (node().kind == NodeKind::kDeal) node_ = node().first_child;
}

std::string PlayedHand::line() const {
  std::string out;
  for (const Event& event : events_) out += (out.empty() ? "" : "/") + event.text;
  return out;
}

poker::Strength PlayedHand::strength(size_t player) const {
  poker::CardSet all = cards_[player];
  for (const poker::Card card : board_) all |= poker::set_of(card);
  return poker::strength_of(all);
}

double PlayedHand::payoff(int player) const {
  const auto payoffs = tree().payoffs(node_, player);
  if (node().kind != NodeKind::kShowdown) return payoffs.win;  // of a fold all are the same
  const auto mine = strength(static_cast<size_t>(player));
  const auto theirs = strength(static_cast<size_t>(1 - player));
  return mine > theirs ? payoffs.win : mine < theirs ? payoffs.lose : payoffs.tie;
}

}  // namespace cleave::hands
