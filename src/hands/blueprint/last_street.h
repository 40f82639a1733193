#pragma once

#include <span>
#include <vector>

#include "hands/problem.h"
#include "hands/terminals.h"
#include "poker/abstraction/buckets.h"

namespace cleave::hands {

using Floats = core::AlignedVector<float>;

// Numbers for each bucket of hands and action of one player on the last street, block by block.
using BucketRows = std::vector<float>;

// Where one player's numbers of one chunk of lines stand: [bucket][action of a decision]. All that
// a hand needs of a chunk lies together.
struct Block {
  struct Decision {
    uint32_t node = 0;  // of the street
    uint32_t row = 0;   // its first action, within the block
    uint32_t actions = 0;
  };
  size_t first = 0;   // in BucketRows
  uint32_t rows = 0;  // actions of all decisions
  std::vector<Decision> decisions;
  size_t first_visit = 0;  // [bucket][decision], in Sweep::visits
};

// The last street of a game under all its boards, played by strategies over buckets. Nothing is
// kept per board but which bucket each row of hands belongs to, so that memory does not grow with
// them.
class LastStreet {
 public:
  // Throws InputError where the buckets are for another number of cards.
  LastStreet(const WholeGame& game, const poker::Buckets& buckets, int threads);

  uint32_t num_buckets() const { return num_buckets_; }
  size_t num_values(size_t player) const {
    return size_t{game_.street().num_storage_rows[player]} * num_buckets_;
  }
  size_t num_visits(size_t player) const {
    return size_t{game_.street().num_decisions[player]} * num_buckets_;
  }
  const std::vector<Block>& blocks(size_t player) const { return blocks_[player]; }  // [chunk]
  std::span<const uint16_t> buckets_of(size_t board) const { return bucket_[board]; }

  // What a sweep for `player` reads and adds up. Reach and values are of leaves of the trunk, over
  // the rows of its boards, padded.
  struct Sweep {
    // Every batches-th board only, from `batch` on, as if it stood for the others too.
    size_t batch = 0, batches = 1;
    // Under so many boards of the trunk from this one on; 0: all.
    size_t first_parent = 0, num_parents = 0;
    size_t player = 0;                               // whose values come up
    const std::vector<Floats>* reach = nullptr;      // [leaf]: the other's
    std::array<const BucketRows*, 2> strategy = {};  // [player]: probabilities
    bool best_response = false;                      // the player's own is not used
    std::vector<float>* action_values = nullptr;     // summed by bucket, as BucketRows
    std::vector<float>* visits = nullptr;            // the other's reach of its decisions,
                                                     // by bucket: Block::first_visit
    std::vector<Floats>* values = nullptr;           // [leaf], overwritten
  };
  // Lines of play go side by side; boards within a line in order: the same bits for any threads.
  void run(const Sweep& sweep) const;

 private:
  class Worker;
  void add_blocks();

  const WholeGame& game_;
  const int threads_;
  uint32_t num_buckets_ = 0;
  Terminals<float> terminals_;
  std::vector<std::vector<uint16_t>> bucket_;  // [board][padded row]
  std::array<std::vector<Block>, 2> blocks_;   // [player][chunk]
  const kernels::HandKernels<float>& kernel_ = kernels::hand_kernels<float>();
};

}  // namespace cleave::hands
