#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/random.h"
#include "games/game.h"

// A hand as it is played: what those who play it see. Nothing here is a number of somebody's tree.
namespace cleave::door {

// Something that happened, as one player sees it.
struct Event {
  games::Actor actor = games::kChance;
  std::string name;  // the cards or the move, as the rules write it; empty: hidden from the player
  // Of a player's move: what it has put in by then, where the game counts chips; what was in the
  // pot at the beginning counts as half each player's.
  double chips = 0;
};

struct Move {
  std::string name;
  double chips = 0;  // as above, afterwards
};

// A player is asked what to do, and remembers all it has seen since the hand began.
struct Question {
  size_t player = 0;
  uint64_t hand = 0;  // its number in the match: what an agent draws for a hand stays drawn
  std::string knows;  // the rules' own word for all of it, an information set's label, or ""
  std::vector<Event> events;  // first to last
  std::vector<Move> moves;
  double call = 0;  // chips of the player after a call; 0: the game does not count
};

// Where the one who was asked stands in a piece of a game.
struct Standing {
  enum class Kind {
    kHere,    // at a decision of the piece
    kBelow,   // in what follows one of its leaves
    kUnknown  // not in this game: something was done that it does not have
  };
  Kind kind = Kind::kUnknown;
  size_t decision = 0, state = 0;  // kHere: of the piece's engines
  size_t leaf = 0, number = 0;     // kBelow
  size_t event = 0;  // kUnknown: the first that the game does not have, or their count
  // What can be done there in this game; where it is unknown, in the place of that event.
  std::vector<Move> moves = {};
  double call = 0;  // there, as Question has it
};

// One hand at a table, where everything is known.
class Hand {
 public:
  virtual ~Hand() = default;
  virtual games::Actor actor() const = 0;
  virtual void deal(core::Random& random) = 0;  // chance's next move
  virtual void take(size_t move) = 0;
  virtual Question question() const = 0;  // to the player who acts
  // When it is over; chips in the pot at the beginning count as half each player's.
  virtual double payoff(size_t player) const = 0;
};

// Plays until the hand is over or waits for somebody: chance draws from `random`, a player takes
// the move `choose(player)`; none: the player is waited for.
template <class AnyHand, class Choose>
void play_on(AnyHand& hand, core::Random& random, const Choose& choose) {
  for (games::Actor actor = hand.actor(); actor != games::kTerminal; actor = hand.actor()) {
    if (actor == games::kChance) {
      hand.deal(random);
    } else if (const std::optional<size_t> move = choose(size_t{actor})) {
      hand.take(*move);
    } else {
      return;
    }
  }
}

}  // namespace cleave::door
