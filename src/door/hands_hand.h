#pragma once

#include "door/hand.h"
#include "hands/piece.h"
#include "hands/played_hand.h"

namespace cleave::door {

// One hand of poker. Its first deals are the players' own cards, then come those on the board.
class HandsHand final : public Hand {
 public:
  HandsHand(const hands::Problem& problem, const hands::Dealer& dealer)
      : problem_(problem), dealer_(dealer) {}

  games::Actor actor() const override { return hand_ ? hand_->actor() : games::kChance; }
  void deal(core::Random& random) override;
  void take(size_t move) override { hand_->take(move); }
  Question question() const override;
  double payoff(size_t player) const override;

 private:
  const hands::Problem& problem_;
  const hands::Dealer& dealer_;
  std::optional<hands::PlayedHand> hand_;
};

Standing find_in_piece(const hands::Problem& problem, const Question& question,
                       const hands::HandsPiece& piece, const hands::VectorEngine& engine);

}  // namespace cleave::door
