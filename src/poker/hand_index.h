#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "poker/cards.h"

namespace cleave::poker {

// Numbers what a player sees up to suit symmetry: the cards of each round as a set, rounds in
// order. {2, 3, 1, 1} is hold'em: 169, 1,286,792, 55,190,538 and 2,428,287,420 classes. Numbers are
// dense from 0, and the same for all hands of a class. Only 13 ranks and 4 suits.
class HandIndex {
 public:
  explicit HandIndex(const std::vector<int>& cards_per_round);

  uint64_t size(int round) const { return rounds_[static_cast<size_t>(round)].offsets.back(); }
  // `cards`: of all rounds so far, in order; those of a round in any order.
  uint64_t index(int round, std::span<const Card> cards) const;
  uint64_t index(std::initializer_list<CardSet> rounds) const;
  // A representative of the class.
  std::vector<Card> cards(int round, uint64_t index) const;

 private:
  struct Round {
    uint32_t cards = 0;             // of this round
    size_t cards_so_far = 0;        // with those of earlier rounds
    std::vector<uint64_t> shapes;   // what suits have in each round, ascending
    std::vector<uint64_t> offsets;  // [shape]: its first class; and the number of classes
  };

  void add_offsets(size_t round);
  // How the ranks of a suit fall into the rounds up to the given one: sizes, then rank sets.
  std::vector<uint32_t> sizes_of_profile(size_t round, uint32_t profile) const;
  uint64_t size_of_profile(size_t round, uint32_t profile) const;
  std::vector<uint32_t> sets_of_suit(size_t round, uint32_t profile, uint64_t number) const;

  std::vector<Round> rounds_;
};

}  // namespace cleave::poker
