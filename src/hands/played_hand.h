#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/random.h"
#include "games/game.h"
#include "hands/problem.h"
#include "poker/evaluator.h"

namespace cleave::hands {

// Deals both players' cards, as likely as the problem's ranges have them.
class Dealer {
 public:
  explicit Dealer(const Problem& problem);
  std::array<poker::CardSet, 2> deal(core::Random& random) const;

 private:
  std::vector<double> meeting(poker::CardSet hand) const;  // chances of player 1's hands then

  const Problem& problem_;
  std::vector<double> first_;  // [hand of player 0]
};

// One hand of poker as it is played (search/hand.h); all cards are known here.
class PlayedHand {
 public:
  struct Event {
    games::Actor actor;
    std::string text;  // an action, or the cards of a deal
  };

  PlayedHand(const Problem& problem, std::array<poker::CardSet, 2> cards);

  games::Actor actor() const;
  void take(size_t action);
  // Cards that nobody holds, each as likely as the other: of the next street, or, when both are all
  // in, all that are left.
  void deal(core::Random& random);

  const poker::BettingNode& node() const { return tree().nodes[node_]; }
  poker::CardSet cards(size_t player) const { return cards_[player]; }
  const std::vector<poker::Card>& board() const { return board_; }  // of each deal from high to low
  const std::vector<Event>& events() const { return events_; }
  std::string line() const;  // as find_address() takes it

  // When it is over; counted from an equal split of the pot at the beginning.
  double payoff(int player) const;
  poker::Strength strength(size_t player) const;  // with the board

 private:
  const poker::BettingTree& tree() const { return problem_->setup.tree; }
  size_t cards_due() const;

  const Problem* problem_;
  std::array<poker::CardSet, 2> cards_;
  std::vector<poker::Card> board_;
  std::vector<Event> events_;
  uint32_t node_ = 0;  // of the betting tree
};

}  // namespace cleave::hands
