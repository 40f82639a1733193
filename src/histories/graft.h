#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "histories/cut.h"
#include "solve/problem.h"
#include "tree/derive.h"

// Recovery of a strategy below a cut by solving a smaller game with any solver: what all two-pass
// methods share, strategy grafting and the standard approach (E. Jackson, "A Time and Space
// Efficient Algorithm for Approximately Solving Large Imperfect Information Games", 2014).
namespace cleave::histories {

// Stands for the union of a cut's subgames: to Jackson's definition it is one subtree T.
inline constexpr uint32_t kAllSubgames = tree::kNone;

// How a recovery game is solved.
struct RecoveryOptions {
  std::string algorithm = "pcfr+";  // any of solve/solver.h: "lp" is exact, "pure-cfr" samples
  int64_t iterations = 1000;        // of methods that are not exact
  uint64_t seed = 1;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

struct RecoveryGame {
  solve::Problem problem;
  // [slot]: in the source; kNone: not to be copied back, since the player whose strategy is wanted
  // never comes there by its own moves outside.
  std::vector<uint32_t> source_slot;
};

// The game a recipe makes of the source, ready to be solved; hero's moves outside T are to be fixed
// in it.
RecoveryGame make_recovery_game(const tree::Tree& game, const tree::Recipe& recipe);

// [history]: whether it stands in T, one of the cut's subgames or all of them.
std::vector<bool> histories_inside(const Cut& cut, uint32_t subgame);

// Strategy grafting (Waugh, Bard and Bowling 2009): hero's moves outside T become chance's with the
// trunk's probabilities; the opponent stays free in the whole game. Whatever the trunk, the hero's
// strategy with the solution in T is no more exploitable than the trunk, up to solving error; from
// an equilibrium comes an equilibrium (Jackson, corollary 1). Subgames that are grafted each by
// itself and then put together have no such guarantee: two of them may use up the same slack.
RecoveryGame make_graft_game(const tree::Tree& game, const Cut& cut, uint32_t subgame, size_t hero,
                             const tree::Strategy& trunk);

// The standard approach: both players' moves outside T are fixed, T is solved as a game of its own
// from the distribution over its roots. No guarantee, not even from an equilibrium. Throws
// InputError where the trunk never comes to T.
RecoveryGame make_standard_game(const tree::Tree& game, const Cut& cut, uint32_t subgame,
                                const tree::Strategy& trunk);

// An equilibrium of a game, or what the options leave of one. Throws RunError once stopped.
tree::Strategy find_equilibrium(const solve::Problem& problem, const RecoveryOptions& options);

// Jackson's expansion: the player's part of `solution` into a strategy of the source game.
void copy_recovered(const RecoveryGame& game, size_t player, const tree::Strategy& solution,
                    tree::Strategy& strategy);

// Both players' grafts, two games (all subgames at once) or two for each of `subgames`.
tree::Strategy graft(const solve::Problem& game, const Cut& cut,
                     const std::vector<uint32_t>& subgames, const tree::Strategy& trunk,
                     const RecoveryOptions& options);

// The standard approach in each of the cut's subgames.
tree::Strategy recover_by_standard(const solve::Problem& game, const Cut& cut,
                                   const tree::Strategy& trunk, const RecoveryOptions& options);

// Subgames 0, 1, ... of a cut.
std::vector<uint32_t> each_subgame(const Cut& cut);

}  // namespace cleave::histories
