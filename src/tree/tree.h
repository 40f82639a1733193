#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "games/game.h"

namespace cleave::tree {

using games::Actor;
using games::kChance;
using games::kTerminal;

// No history, no information set, no sequence.
inline constexpr uint32_t kNone = 0xffffffff;

// A game compiled to flat arrays: immutable, shared by all solvers. Index order is given at each
// member. Histories stand in breadth-first order, so parents come before children and the children
// of one history are contiguous. A slot is one (information set, action) pair; the slots of an
// information set are contiguous, and so are the information sets of one player and one level.
// About 41 bytes per history and 14 per information set.
struct Tree {
  std::string name;
  int num_players = 2;

  std::vector<uint32_t> parent;       // [history], kNone at the root
  std::vector<uint32_t> child_begin;  // [history + 1]
  std::vector<Actor> actor;           // [history]
  std::vector<uint32_t> infoset;      // [history]: information set; at terminals: index of payoff
  std::vector<double> probability;    // [history] of the step into it: chance's, else 1
  std::vector<uint32_t> level_begin;  // [level + 1]: first history of a level (number of moves)
  std::vector<double> payoff;         // [terminal] to player one, `shift` already taken off
  // [player][history]: slot of the player's last own action on the way, kNone before the first.
  // With the information set where the player acts this is the augmented information set.
  std::vector<std::vector<uint32_t>> sequence;
  std::vector<uint32_t> public_state;  // [history], kNone at terminals; empty unless two players

  std::vector<uint32_t> slot_begin;     // [infoset + 1]
  std::vector<uint32_t> first_history;  // [infoset], a history in it
  std::vector<uint32_t> infoset_size;   // [infoset], how many histories it holds
  std::vector<uint32_t> infoset_begin;  // [player + 1]
  uint32_t num_public_states = 0;

  // Payoffs of each terminal sum to a number between these two; equal if the game is constant-sum.
  double payoff_sum_low = 0;
  double payoff_sum_high = 0;
  double shift = 0;                           // player one's half of the constant sum
  uint32_t imperfect_recall_infoset = kNone;  // the first one, if there is any
  bool perfect_information = true;            // every information set holds one history

  size_t num_histories() const { return parent.size(); }
  size_t num_infosets() const { return first_history.size(); }
  size_t num_slots() const { return slot_begin.back(); }
  int num_levels() const { return static_cast<int>(level_begin.size()) - 1; }
  uint32_t num_actions(uint32_t set) const { return slot_begin[set + 1] - slot_begin[set]; }
  uint32_t action(uint32_t history) const { return history - child_begin[parent[history]]; }
  // Of the player's move into a history.
  uint32_t slot_into(uint32_t history) const {
    return slot_begin[infoset[parent[history]]] + action(history);
  }
  uint32_t set_of_slot(uint32_t slot) const {
    return static_cast<uint32_t>(std::ranges::upper_bound(slot_begin, slot) - slot_begin.begin()) -
           1;
  }
  size_t player(uint32_t set) const {
    size_t p = 0;
    while (set >= infoset_begin[p + 1]) ++p;
    return p;
  }
  bool perfect_recall() const { return imperfect_recall_infoset == kNone; }
  bool constant_sum() const { return payoff_sum_low == payoff_sum_high; }
  bool zero_sum() const { return constant_sum() && payoff_sum_low == 0; }
  size_t bytes() const;

  // Stands for the whole content: a checkpoint of one game is not taken for another's.
  core::Hash128 fingerprint() const;
};

// How many (information set, action) pairs end the game in some history: what the player who moved
// last knows when it is over. Cermak et al. count these as information sets too.
size_t num_ended_slots(const Tree& tree);

struct CompileOptions {
  size_t max_bytes = 0;      // 0: three quarters of the machine's memory
  size_t max_histories = 0;  // 0: as many as fit
  const std::atomic<bool>* stop = nullptr;
  std::function<void(size_t histories)> progress = {};  // now and then, from the calling thread
};

// There are more histories than max_histories. Found before they are stored: far more may stand
// below a few moves of chance.
class TooManyHistories : public core::InputError {
 public:
  using core::InputError::InputError;
};

// Throws InputError where the game does not fit into memory, RunError when stopped.
Tree compile(const games::Game& game, const CompileOptions& options = {});

// Throws InputError with one clear sentence unless the solvers can work with the game: two players,
// constant-sum and, where asked for, perfect recall. `who` names what needs it ("algorithm
// 'cfr+'").
void require_solvable(const Tree& tree, const games::Game& game, const std::string& who);

// From the root to the history, itself last.
std::vector<uint32_t> path_to(const Tree& tree, uint32_t history);

// Calls `visit(history, state)` for the given histories (any order), replaying each from the root.
void replay(const games::Game& game, const Tree& tree, std::span<const uint32_t> histories,
            const std::function<void(uint32_t, const std::byte*)>& visit);

// Labels of information sets and actions as `.efg` and `.csv` files have them.
struct Labels {
  std::vector<std::string> infoset;  // [infoset]
  std::vector<std::string> action;   // [slot]
};
Labels make_labels(const games::Game& game, const Tree& tree);

}  // namespace cleave::tree
