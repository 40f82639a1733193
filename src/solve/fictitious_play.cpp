#include <algorithm>
#include <array>

#include "solve/best_response_plan.h"
#include "solve/learner.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

struct FictitiousPlayParams {
  Updates updates = Updates::kSimultaneous;
  bool pure_start = false;  // the first action everywhere instead of uniform play
  Ties ties = Ties::kFirst;
};

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

FictitiousPlay::FictitiousPlay(const Problem& problem, const RunOptions& options,
                               FictitiousPlayParams params)
    : Solver(problem), params_(params), work_(problem) {
  work_.threads = options.threads;
  tree::Strategy start = tree::uniform_strategy(problem.tree);
  if (params.pure_start) {
    std::ranges::fill(start, 0.0);
    for (uint32_t set = 0; set < problem.tree.num_infosets(); ++set) {
      start[problem.tree.slot_begin[set]] = 1;
    }
  }
  for (size_t p = 0; p < 2; ++p) {
    average_[p].resize(problem.form.player[p].num_sequences);
    tree::plan_from_strategy(problem.tree, problem.form.player[p], start, average_[p]);
  }
}

void FictitiousPlay::respond(size_t player) {
  best_response_values(problem_, player, average_[1 - player], work_, work_.q[player]);
  best_response_plan(problem_.form.player[player], work_.q[player], work_.plan[player],
                     params_.ties);
}

void FictitiousPlay::average_in(size_t player) {
  for (size_t i = 0; i < average_[player].size(); ++i) average_[player][i] += work_.plan[player][i];
}

void FictitiousPlay::iterate() {
  ++iterations_;
  for (size_t p = 0; p < 2; ++p) {
    respond(p);
    if (params_.updates == Updates::kAlternating) average_in(p);
  }
  if (params_.updates == Updates::kSimultaneous) {
    for (size_t p = 0; p < 2; ++p) average_in(p);
  }
}

void FictitiousPlay::average_plan(size_t player, std::span<double> plan) const {
  std::ranges::copy(average_[player], plan.begin());
}

tree::Strategy FictitiousPlay::strategy() const {
  tree::Strategy strategy = tree::uniform_strategy(problem_.tree);
  for (size_t p = 0; p < 2; ++p) {
    tree::strategy_from_plan(problem_.tree, problem_.form.player[p], average_[p], strategy);
  }
  return strategy;
}

void FictitiousPlay::save(tree::Archive& archive) const {
  save_iterations(archive);
  for (size_t p = 0; p < 2; ++p) save_reals(archive, "average", p, average_[p]);
}

void FictitiousPlay::load(const tree::Archive& archive) {
  for (size_t p = 0; p < 2; ++p) {
    std::ranges::copy(load_reals(archive, "average", p, average_[p].size()), average_[p].begin());
  }
  load_iterations(archive);
}

std::unique_ptr<Solver> make_fictitious_play(const Problem& problem, core::Params& params,
                                             const RunOptions& options) {
  FictitiousPlayParams p;
  p.updates =
      params.choice("updates", "simultaneous", {"simultaneous", "alternating"}) == "simultaneous"
          ? Updates::kSimultaneous
          : Updates::kAlternating;
  p.pure_start = params.choice("start", "uniform", {"uniform", "first"}) == "first";
  p.ties = read_ties(params);
  return std::make_unique<FictitiousPlay>(problem, options, p);
}

}  // namespace

SolverInfo fictitious_play_info() {
  return {"xfp",
          "fictitious play in behaviour strategies",
          {{"updates", "simultaneous", "simultaneous or alternating updates of the two players"},
           {"start", "uniform", "uniform play, or the first action everywhere"},
           ties_param()},
          false,
          make_fictitious_play,
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
