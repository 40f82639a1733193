#pragma once

#include <array>
#include <string>
#include <vector>

#include "games/game.h"

namespace cleave::games {

// The chips that both have put in, where the game is poker by name: kuhn, leduc and .game files.
class ChipCounter {
 public:
  explicit ChipCounter(const Game& game);
  bool known() const { return kind_ != Kind::kUnknown; }
  // After these moves.
  std::array<double, 2> put(const std::vector<Actor>& actors,
                            const std::vector<std::string>& labels) const;

 private:
  enum class Kind {
    kUnknown,
    kAdds,  // "bet2": so many more than the other has put in
    kTotal  // "bet 2": so many altogether in this round
  };
  Kind kind_ = Kind::kUnknown;
  std::array<double, 2> start_ = {};
  std::array<double, 2> most_ = {};  // stacks
  double ante_ = 0;                  // of kTotal: not counted by bets
};

}  // namespace cleave::games
