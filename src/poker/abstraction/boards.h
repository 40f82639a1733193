#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "poker/cards.h"
#include "poker/hand_index.h"
#include "poker/range.h"

namespace cleave::poker {

// The boards of so many cards up to suit symmetry, numbered densely: 1,755 flops, 16,432 with the
// turn, 134,459 with the river. One board stands for each class.
class Boards {
 public:
  explicit Boards(int cards);

  int cards_per_board() const { return cards_; }
  size_t size() const { return boards_.size(); }
  CardSet operator[](size_t number) const { return boards_[number]; }

  // Where a board is found: its class and the suit map that makes it the one that stands for it,
  // as a number for renamed_combos().
  struct Place {
    uint32_t number;
    uint32_t map;
  };
  Place find(CardSet board) const;

 private:
  int cards_;
  HandIndex index_;
  std::vector<CardSet> boards_;
};

// [combo] = the combo with its suits renamed by all_suit_maps()[map].
std::span<const uint16_t> renamed_combos(size_t map);

// The hands on a board, one of each class under the suit maps that keep the board, ascending. Over
// all boards of Boards every class of hands is met once.
std::vector<uint16_t> hands_on(CardSet board);

// How many of the 24 suit maps make different boards of it.
uint32_t num_images(CardSet board);

// [combo] = its class among the 169 hands before the flop.
const std::vector<uint8_t>& preflop_classes();
inline constexpr size_t kNumPreflopClasses = 169;

}  // namespace cleave::poker
