#include <algorithm>
#include <array>

#include "solve/learner.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

class FictitiousPlay final : public Solver {
 public:
  FictitiousPlay(const Problem& problem, core::Params& params, const RunOptions& options)
      : Solver(problem),
        simultaneous_(params.choice("updates", "simultaneous", {"simultaneous", "alternating"}) ==
                      "simultaneous"),
        work_(problem, options.threads) {
    tree::Strategy start = tree::uniform_strategy(problem.tree);
    if (params.choice("start", "uniform", {"uniform", "first"}) == "first") {
      std::ranges::fill(start, 0.0);
      for (uint32_t set = 0; set < problem.tree.num_infosets(); ++set) {
        start[problem.tree.slot_begin[set]] = 1;
      }
    }
    ties_ = read_ties(params);
    for (size_t p = 0; p < 2; ++p) {
      average_[p].resize(problem.form.player[p].num_sequences);
      tree::plan_from_strategy(problem.tree, problem.form.player[p], start, average_[p]);
    }
  }

  void iterate() override {
    ++iterations_;
    for (size_t p = 0; p < 2; ++p) {
      respond(p);
      if (!simultaneous_) average_in(p);
    }
    if (!simultaneous_) return;
    for (size_t p = 0; p < 2; ++p) average_in(p);
  }

  void average_plan(size_t player, std::span<double> plan) const override {
    std::ranges::copy(average_[player], plan.begin());
  }

  tree::Strategy strategy() const override {
    tree::Strategy strategy = tree::uniform_strategy(problem_.tree);
    for (size_t p = 0; p < 2; ++p) {
      tree::strategy_from_plan(problem_.tree, problem_.form.player[p], average_[p], strategy);
    }
    return strategy;
  }

  void save_state(tree::Archive& archive) const override {
    for (size_t p = 0; p < 2; ++p) save_reals(archive, "average", p, average_[p]);
  }
  void load_state(const tree::Archive& archive) override {
    for (size_t p = 0; p < 2; ++p) load_reals(archive, "average", p, average_[p]);
  }

 private:
  void respond(size_t player) {
    best_response_values(problem_, player, average_[1 - player], work_, work_.q[player]);
    best_response_plan(problem_.form.player[player], work_.q[player], work_.plan[player], ties_);
  }
  void average_in(size_t player) {
    core::Reals& average = average_[player];
    for (size_t i = 0; i < average.size(); ++i) average[i] += work_.plan[player][i];
  }

  bool simultaneous_;
  Ties ties_ = Ties::kFirst;
  Workspace work_;                      // plan: the newest best responses
  std::array<core::Reals, 2> average_;  // [player][sequence], sums over iterations
};

}  // namespace

SolverInfo fictitious_play_info() {
  return entry_of<FictitiousPlay>(
      "xfp", "fictitious play in behaviour strategies", SolverInfo::kCoarse,
      {{"updates", "simultaneous", "simultaneous or alternating updates of the two players"},
       {"start", "uniform", "uniform play, or the first action everywhere"},
       ties_param()});
}

}  // namespace cleave::solve
