#pragma once

#include <functional>

#include "core/scratch_file.h"
#include "decompose/leaf_evaluator.h"
#include "solve/schedule.h"

namespace cleave::decompose {

struct SolvedLeavesOptions {
  solve::Schedule schedule;   // any member of the CFR family
  int64_t iterations = 1000;  // of each call, at most
  // A call ends once both players' best-response gains within the subgame, the sum over own states
  // of reach * (best-response value - value), come to this; 0: no such limit.
  double accuracy = 0;
  // Engines live on between calls and go on from the regrets they have (averages begin anew with
  // each call): all subgames' memory, but fewer iterations. One iteration per call is CFR on the
  // whole game.
  bool keep_warm = false;
  // Warm engines wait in a file of this folder between calls: the memory of one. Not for
  // minimisers that predict. Empty: they wait in memory.
  std::string folder = {};
  // Leaves side by side where there are many, else over the deals within one; the same result. So
  // many subgames are in memory at a time.
  int threads = 1;
  // What works on a piece: its own engine, or one of another kind.
  std::function<std::unique_ptr<Engine>(const Piece& piece, int threads)> make_engine =
      engine_to_the_end;
};

// The subgame below each leaf solved for the reach that arrives there, then thrown away: CFR-D
// (Burch et al. 2014, section "Generating a Trunk Strategy using CFR-D"). Values are those of the
// average strategies, which are mutual counterfactual best responses up to the solving error: own
// states of zero reach have no average, but go on learning, and there the newest strategy follows
// the leader against the other's average.
class SolvedLeaves final : public LeafEvaluator {
 public:
  explicit SolvedLeaves(SolvedLeavesOptions options) : options_(std::move(options)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override { return peak_bytes_; }
  int64_t iterations() const { return iterations_; }  // of all calls together

 private:
  struct Solver {
    std::unique_ptr<Engine> engine;
    int64_t iterations = 0;
    size_t place = 0;  // in the file, where it waits there
  };

  void fetch(Solver& waiting, Solver& solver) const;
  void put_away(Solver& waiting, Solver& solver) const;
  int64_t solve(Solver& solver, LeafState& leaf) const;  // iterations
  static double gain(Engine& engine, LeafState& leaf);

  SolvedLeavesOptions options_;
  std::vector<Solver> warm_;  // [leaf], where they are kept
  std::unique_ptr<core::ScratchFile> file_;
  size_t peak_bytes_ = 0;
  int64_t iterations_ = 0;
};

}  // namespace cleave::decompose
