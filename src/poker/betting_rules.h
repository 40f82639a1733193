#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "poker/betting.h"

// The rules one decision at a time: what build_betting_tree walks over.
namespace cleave::poker {

struct BettingState {
  static constexpr uint8_t kNobody = 2;
  std::array<Chips, 2> put = {};
  Chips base = 0;        // what each had put in when the street began
  Chips last_raise = 0;  // by how much the street's last bet or raise went beyond the one before
  int raises = 0;        // bets and raises in the street
  uint8_t street = 0;
  uint8_t player = 0;
  uint8_t passed = 0;           // players who have acted since the last bet or raise, or made it
  uint8_t aggressor = kNobody;  // who made the street's last bet or raise
  uint8_t previous_aggressor = kNobody;  // the same of the street before
};

struct Situation {
  BettingNode::Kind kind = BettingNode::Kind::kDecision;
  BettingState state;  // `player`: who acts, or who folded
};
Situation first_situation(const Betting& betting);
Situation play(const Betting& betting, const BettingState& state, const Action& action);
// The beginning of the next street, from a kDeal situation.
BettingState deal(const Betting& betting, const BettingState& state);

// In the order of BettingNode's children. Throws InputError where "any" means too many.
std::vector<Action> actions_at(const Betting& betting, const BettingState& state);

// Throws InputError for what no betting tree can be made of.
void check_betting(const Betting& betting);

}  // namespace cleave::poker
