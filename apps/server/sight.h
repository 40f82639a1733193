#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "server/game_cache.h"

// Who sees what in a game of which only the tree is known.
namespace cleave::server {

// A move on the way to a decision, as the player who acts there knows it.
struct SeenStep {
  enum class By { kNobody, kMe, kAll };
  tree::Actor actor = tree::kChance;
  std::string label;
  By seen = By::kNobody;    // kMe: only chance's, where the other would not know it
  bool actor_known = true;  // whether it is known that there was such a move, and whose
};

// Made from the information set alone, by what its histories have in common: the player cannot see
// more.
std::vector<SeenStep> make_sight(const OpenGame& game, uint32_t set);

// The chips that both have put in, where the game is poker by name: kuhn, leduc and .game files.
class ChipCounter {
 public:
  explicit ChipCounter(const OpenGame& game);
  bool known() const { return kind_ != Kind::kUnknown; }
  // After these moves.
  std::array<double, 2> put(const std::vector<tree::Actor>& actors,
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

}  // namespace cleave::server
