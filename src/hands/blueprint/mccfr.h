#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hands/blueprint/abstract_strategy.h"
#include "hands/setup.h"

// Monte Carlo CFR with external sampling (Lanctot et al. 2009) for a whole game of hold'em whose
// hands are put into buckets, street by street.
namespace cleave::hands {

// What hands look like on one street. With n cards on the board a hand is a class of
// poker::HandIndex({2, n}), or ({2}) where there are none.
struct StreetBuckets {
  uint32_t count = 0;
  std::vector<uint32_t> bucket = {};  // [class]; empty: every class is its own bucket
};

// Regret-based pruning (Brown and Sandholm 2015) as Libratus and Pluribus do it: in most walks
// actions of very low regret are left out, except on the last street, where they end the game at
// once, and where the player would play them, having no better. Regrets have a floor a little
// below, so that an action that turns out well comes back soon.
struct Pruning {
  bool on = true;
  double probability = 0.95;  // of a walk that leaves actions out
  int64_t warm_up = 100'000;  // deals before the first such walk
  // Left out are actions whose regret is below minus so many of the game's largest payoffs. (Deals
  // weigh more the later they are; here the newest one weighs 1.)
  double threshold = 20;
};

struct MccfrOptions {
  uint64_t seed = 1;
  int threads = 1;  // the same bits for any number
  Pruning pruning = {};
};

// Bytes that the solver will learn in; `streets`: [street].
uint64_t learning_bytes(const hands::Setup& setup, const std::vector<StreetBuckets>& streets);

class Mccfr {
 public:
  // Deals are learnt from in batches: all of a batch are played with the strategies before it.
  static constexpr int64_t kBatch = 256;

  struct Counts {
    int64_t deals = 0;
    uint64_t nodes = 0;   // of the betting tree, visited
    uint64_t pruned = 0;  // actions left out
  };

  // The setup's hands of two cards, from the whole deck, all pairs of them equally likely. Throws
  // InputError where it is another game or where buckets do not fit it.
  Mccfr(const hands::Setup& setup, std::vector<StreetBuckets> streets, const MccfrOptions& options);
  ~Mccfr();

  // Learns from so many more deals, rounded up to whole batches. `progress` is told after each
  // batch how many deals there have been since the beginning; it may be empty, `stop` null.
  void run(int64_t deals, const std::atomic<bool>* stop,
           const std::function<void(int64_t)>& progress);

  // Where a decision has not been part of the average, what would be played there now.
  AbstractStrategy average() const;

  uint64_t bytes() const;  // that are learnt in
  Counts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cleave::hands
