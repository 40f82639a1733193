#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "poker/cards.h"

namespace cleave::poker {

// Numbers what a player sees up to suit symmetry: the cards of each round as a set, rounds in
// order. {2, 3, 1, 1} is hold'em: 169, 1,286,792, 55,190,538 and 2,428,287,420 classes. Numbers are
// dense from 0, and the same for all hands of a class. Only 13 ranks and 4 suits.
class HandIndex {
 public:
  explicit HandIndex(std::vector<int> cards_per_round);
  ~HandIndex();

  int num_rounds() const;
  uint64_t size(int round) const;  // number of classes after that round, counted from 0
  // `cards`: of all rounds so far, in order; those of a round in any order.
  uint64_t index(int round, std::span<const Card> cards) const;
  // A representative of the class.
  std::vector<Card> cards(int round, uint64_t index) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace cleave::poker
