#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poker/cards.h"

namespace cleave::poker {

using Chips = int64_t;

// A two-player poker game as the annual competition's `.game` files define it. Players count from 0
// here and from 1 in the file; the file's defaults are filled in.
struct Definition {
  std::string name;  // the file's stem, for messages and labels
  bool limit = false;
  std::array<Chips, 2> stack = {};  // before blinds
  std::array<Chips, 2> blind = {};  // posted by each player
  int ranks = 0, suits = 0;
  int hole_cards = 0;
  struct Round {
    int board_cards = 0;  // dealt at the beginning of the round
    int first_player = 0;
    int max_raises = 255;  // bets and raises in the round; the format's "maxRaises"
    Chips raise_size = 0;  // limit games only
  };
  std::vector<Round> rounds;

  int num_rounds() const { return static_cast<int>(rounds.size()); }
  CardSet deck() const { return poker::deck(ranks, suits); }
};

// The text of a `.game` file. Throws InputError "FILE:LINE: ..." for what the format does not allow
// or what is not a two-player game. Comments (#), blank lines and any order of keys are allowed.
Definition parse_definition(std::string_view text, std::string_view file);
Definition read_definition(const std::string& path);
std::string to_text(const Definition& definition);  // as a `.game` file

}  // namespace cleave::poker
