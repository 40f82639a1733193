#pragma once

#include "histories/graft.h"

// Jackson's path recovery game: what strategy grafting needs of the game outside T, and no more.
namespace cleave::histories {

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

// Replaces the hero's strategy in T.
void recover_path(const solve::Problem& game, const Cut& cut, uint32_t subgame, size_t hero,
                  const tree::Strategy& trunk, const PathRecoveryOptions& options,
                  tree::Strategy& result);

// Both players in each of `subgames`: two games for each.
tree::Strategy recover_paths(const solve::Problem& game, const Cut& cut,
                             const std::vector<uint32_t>& subgames, const tree::Strategy& trunk,
                             const PathRecoveryOptions& options);

}  // namespace cleave::histories
