#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/problem.h"

namespace cleave::solve {

// What a profile is worth, player one's point of view for `value`, in the game's own payoffs (the
// shift of a constant-sum game is put back).
struct Certificate {
  double value = 0;  // to player one when both follow the profile
  std::array<double, 2> best_response =
      {};  // [player]: to that player, against the other's strategy
  // (best_response[0] + best_response[1] - constant sum) / 2: NashConv / 2, the mean loss over
  // seats.
  double exploitability = 0;

  // To both players: those of raked poker do not sum to a constant.
  std::array<double, 2> values() const {
    return {value, best_response[0] + best_response[1] - 2 * exploitability - value};
  }
};

// Scratch for evaluations, so that none allocates.
struct Workspace {
  explicit Workspace(const Problem& problem, int threads = 1);
  std::array<core::Reals, 2> plan;  // [player][sequence]
  std::array<core::Reals, 2> q;     // [player][sequence]
  core::Reals value;                // [position], of one player at a time
  int threads;
};

// Counterfactual values of a best response of `player` against the other player's plan: one product
// with the payoff matrix and one pass up. q[sequence] is the value of playing it and best
// responding from there on, in Burch's units (weighted by the others' reach, not normalised); the
// value at an information set is the largest of its actions', also where the player's own reach is
// zero. Returns the value at the root.
double best_response_values(const Problem& problem, size_t player,
                            std::span<const double> other_plan, Workspace& work,
                            std::span<double> q);

// The pass up alone, from payoffs by sequence in q (aligned as core::Reals is): the same values.
double maximise(const tree::Treeplex& plex, std::span<double> q, Workspace& work);

// What both plans are worth to player one (without the shift); leaves the payoffs against player
// two's plan in work.q[0].
double expected_value(const Problem& problem, std::span<const double> plan_one,
                      std::span<const double> plan_two, Workspace& work);

// From the plans in work.plan, which need not be normalised: entry 0 holds the total weight.
Certificate certify(const Problem& problem, Workspace& work);
Certificate certify(const Problem& problem, const tree::Strategy& strategy);

// Ties are broken in favour of the first action within kTieTolerance (times the scale of values),
// everywhere the same unless fictitious play is told otherwise.
inline constexpr double kTieTolerance = 1e-12;
enum class Ties : uint8_t { kFirst, kLast };

// The action that a best response takes at member m of a group, given q of the group's sequences.
size_t best_action(const double* q, const tree::Group& group, size_t m, Ties ties = Ties::kFirst);

// The plan of the pure best response that q (see best_response_values) describes: 0 or 1 for every
// sequence.
void best_response_plan(const tree::Treeplex& plex, std::span<const double> q,
                        std::span<double> plan, Ties ties = Ties::kFirst);

// Replaces the player's part of `strategy` by a counterfactual best response against the other's
// part: at every information set, also unreached ones. Returns the value at the root.
double best_respond(const Problem& problem, size_t player, tree::Strategy& strategy);

// Counterfactual best-response values by information set of the tree: [infoset - first of player],
// in Burch's units.
std::vector<double> counterfactual_best_response(const Problem& problem, size_t player,
                                                 const tree::Strategy& strategy);

// What a strategy is worth everywhere. Payoffs are the game's own, shift included. Not a number
// where nothing is known or nobody comes.
struct Worth {
  std::vector<double> value;         // [history], to player 1
  std::vector<double> reach;         // [history], by both players and chance
  std::vector<double> own_reach;     // [infoset]
  std::vector<double> action_value;  // [slot] to its player, divided by the others' reach
  std::vector<double> set_value;     // [infoset], the same for the strategy's mix
  std::vector<double> best;          // [infoset], the same for a best response
};
Worth find_worth(const Problem& problem, const tree::Strategy& strategy);
// Of a game that no solver takes: nothing is known of best responses, nor, where payoffs have no
// constant sum, of what player 2 gets.
Worth find_worth(const tree::Tree& tree, const tree::Strategy& strategy);

}  // namespace cleave::solve
