#pragma once

#include <array>

#include "solve/evaluate.h"
#include "solve/full_width.h"

namespace cleave::solve {

// Fictitious play in behaviour strategies (XFP; lemma 1 of Cermak et al.): each iteration both
// players best-respond to the other's average and average the pure response in, weighted by reach.
// On plans that is a plain mean. Ties go to the first or to the last action within kTieTolerance,
// so that every implementation that does the same takes the same path. Starts from uniform play or
// from the first action everywhere, which counts as one iteration of the average.
struct FictitiousPlayParams {
  Updates updates = Updates::kSimultaneous;
  bool pure_start = false;  // the first action everywhere instead of uniform play
  Ties ties = Ties::kFirst;
};

core::ParamInfo ties_param();
Ties read_ties(core::Params& params);

class FictitiousPlay final : public Solver {
 public:
  FictitiousPlay(const Problem& problem, const RunOptions& options, FictitiousPlayParams params);

  void iterate() override;
  void average_plan(size_t player, std::span<double> plan) const override;
  tree::Strategy strategy() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 private:
  void respond(size_t player);
  void average_in(size_t player);

  FictitiousPlayParams params_;
  Workspace work_;                      // plan: the newest best responses
  std::array<core::Reals, 2> average_;  // [player][sequence], sums over iterations
};

SolverInfo fictitious_play_info();

}  // namespace cleave::solve
