#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "histories/cut.h"
#include "solve/problem.h"
#include "tree/derive.h"

// Recovery of a strategy below a cut by solving a smaller game with any solver: what all two-pass
// methods share, strategy grafting, the standard approach and path recovery (E. Jackson, "A Time
// and Space Efficient Algorithm for Approximately Solving Large Imperfect Information Games",
// 2014).
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

// Jackson's path recovery game: what strategy grafting needs of the game outside T, and no more.

// What a history where play leaves the path is worth.
enum class OffPath {
  // v_sigma(h) = E[u | h] under the trunk profile (equation 5): Jackson's.
  kTrunk,
  // The same with the opponent's part of the profile replaced by a counterfactual best response
  // against hero's trunk: equal to kTrunk in an equilibrium, and safe for every other trunk.
  kBestResponse,
  // Mean payoff of playouts from h in which chance and both players are drawn: an unbiased estimate
  // of kTrunk's value, independent from history to history.
  kSampled,
};

// Which histories outside T are kept.
enum class Path {
  // Those on the way to T, and whoever shares an information set of the opponent with them, and
  // their ancestors, until nothing changes. Without it the opponent could choose one action at
  // some histories of an information set and another at the rest, which stand for sigma's.
  kClosed,
  // Those on the way to T only (equation 2). The same where, as in poker, the path is public.
  kLiteral,
};

struct PathRecoveryOptions {
  RecoveryOptions solving = {};
  OffPath off_path = OffPath::kTrunk;
  int64_t playouts = 1000;  // per history where play leaves the path, where kSampled
  Path path = Path::kClosed;
  // Several subgames: each from the trunk as it is, as the paper has it, or in turn, each from what
  // the ones before have left. Only the latter keeps a guarantee for all of them together.
  bool in_turn = false;
};

// One line on what holds for the result, printed wherever the method can be chosen. Recovering a
// strategy that is an equilibrium, with counterfactual best responses at sets a player never comes
// to by its own moves, gives an equilibrium (Jackson, theorem 2, whose proof needs the latter).
std::string path_recovery_guarantee(const PathRecoveryOptions& options, size_t num_subgames);

// [history]: whether it is kept outside T for the opponent of `hero`: P_T.
std::vector<bool> path_to(const tree::Tree& game, const Cut& cut, uint32_t subgame, size_t hero,
                          Path path = Path::kClosed);

// Histories: T, the path, and a leaf for each action that leaves the path. Hero is fixed to the
// trunk on the path and free in T, the opponent is free on the path and in T. Trunk's part in T is
// not looked at, except by OffPath::kBestResponse, which takes it to decide between the opponent's
// actions above: it has no influence on the values where play has left the path.
RecoveryGame make_path_recovery_game(const solve::Problem& game, const Cut& cut, uint32_t subgame,
                                     size_t hero, const tree::Strategy& trunk,
                                     const PathRecoveryOptions& options = {});

// Both players in each of `subgames`: two games for each.
tree::Strategy recover_paths(const solve::Problem& game, const Cut& cut,
                             const std::vector<uint32_t>& subgames, const tree::Strategy& trunk,
                             const PathRecoveryOptions& options);

}  // namespace cleave::histories
