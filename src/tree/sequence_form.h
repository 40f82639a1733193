#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/aligned.h"
#include "kernels/kernels.h"
#include "tree/tree.h"

namespace cleave::tree {

// The first two entries of every array over sequences: the empty sequence, whose reach is 1, and
// the parent of the dummy sets that pad groups, whose reach is 0.
inline constexpr uint32_t kEmptySequence = 0;
inline constexpr uint32_t kPadSequence = 1;

// Information sets of one player with the same number of own decisions before them and the same
// number of actions, at most kGroupWidth of them: what a kernel works on in one go. Sequence (a, m)
// stands at first_sequence + a * width + m. Sets are padded to kernels::kLanes with dummies.
struct Group {
  uint32_t num_actions = 0;
  uint32_t width = 0;
  uint32_t first_position = 0;  // into the arrays over positions
  uint32_t first_sequence = 0;
};
inline constexpr uint32_t kGroupWidth = 512;  // 4 KiB per action: a group's arrays stay in L1

// The decisions of one player. A position is the place of an information set in groups.
struct Treeplex {
  std::vector<Group> groups;          // parents before children
  std::vector<uint32_t> level_begin;  // [level + 1] into groups: sets of a level are independent
  std::vector<uint32_t> parent;       // [position]: the sequence that leads to it
  std::vector<uint32_t> infoset;      // [position]: in the tree; kNone for a dummy
  std::vector<uint32_t> sequence_of_slot;  // [slot - first slot of the player]
  uint32_t first_slot = 0;
  uint32_t num_sequences = 0;

  uint32_t sequence(uint32_t slot) const {
    return slot == kNone ? kEmptySequence : sequence_of_slot[slot - first_slot];
  }

  // visit(group, m, set) for each information set, the m-th of its group; parents before children.
  template <class Visit>
  void for_each_set(const Visit& visit) const {
    for (const Group& group : groups) {
      for (uint32_t m = 0; m < group.width; ++m) {
        const uint32_t set = infoset[group.first_position + m];
        if (set != kNone) visit(group, m, set);
      }
    }
  }
};

// Payoffs to one player, chance folded in: value = sum over terminals of chance reach * payoff, by
// (own sequence, other player's sequence). Connected parts of the matrix that are dense enough are
// stored as blocks (in poker: one per public end of the game), the rest by rows.
class PayoffMatrix {
 public:
  // out[own] = sum over other of payoff(own, other) * reach[other]; 0 where nothing ends.
  void multiply(const double* reach, double* out, int threads = 1) const;

  // The same, to the last bit, in time proportional to what the other player reaches: `transposed`
  // is the other player's matrix. False, and nothing done, where that would not be faster.
  bool multiply_reached(const PayoffMatrix& transposed, const double* reach, double* out) const;

  size_t bytes() const;

 private:
  friend class PayoffBuilder;
  void multiply_range(size_t part, const double* reach, double* out) const;

  uint32_t num_rows_ = 0;  // own sequences
  std::vector<kernels::Block> blocks_;
  std::vector<uint32_t> block_index_;  // per block: rows, then columns
  core::Reals values_;                 // per block: [column][padded row]
  std::vector<int16_t> multiples_;     // the same, of blocks with a unit
  std::vector<uint32_t> row_;          // [sparse row]: own sequence
  std::vector<uint32_t> row_begin_;    // [sparse row + 1] into the next two
  std::vector<uint32_t> column_;
  std::vector<double> weight_;
  std::vector<uint32_t> sparse_row_;  // [own sequence]: its place in row_, kNone where it has none
  // Parts of about equal work for threads: [part] = first block, first sparse row; one more at end.
  std::vector<std::array<uint32_t, 2>> parts_;
};

// The game as both players' decisions and a payoff matrix for each: what the full-width solvers and
// the exact evaluations run on. Needs two players, constant sum and perfect recall.
struct SequenceForm {
  std::array<Treeplex, 2> player;
  std::array<PayoffMatrix, 2> payoff;  // [player]: to that player

  // What payoff[to].multiply() gives, by the faster way.
  void multiply(size_t to, const double* reach, double* out, int threads) const;

  size_t bytes() const;
};

SequenceForm make_sequence_form(const Tree& tree);

}  // namespace cleave::tree
