#include "solve/full_width.h"

#include <algorithm>

#include "solve/passes.h"

namespace cleave::solve {

core::ParamInfo updates_param() {
  return {"updates", "alternating", "alternating or simultaneous updates of the two players"};
}

Updates read_updates(core::Params& params) {
  return params.choice("updates", "alternating", {"alternating", "simultaneous"}) == "alternating"
             ? Updates::kAlternating
             : Updates::kSimultaneous;
}

RegretSolver::RegretSolver(const Problem& problem, int threads)
    : Solver(problem),
      learner_{Learner(problem.form.player[0]), Learner(problem.form.player[1])},
      work_(problem) {
  work_.threads = threads;
}

FullWidth::FullWidth(const Problem& problem, const RunOptions& options, Updates updates,
                     Schedule schedule)
    : RegretSolver(problem, options.threads), updates_(updates), schedule_(std::move(schedule)) {}

void FullWidth::iterate() {
  const Iteration now = schedule_(++iterations_);
  if (updates_ == Updates::kAlternating) {
    for (size_t p = 0; p < 2; ++p) {
      send_reach(1 - p, now.average_decay);
      learn(p, now.regret);
    }
  } else {
    for (size_t p = 0; p < 2; ++p) send_reach(p, now.average_decay);
    for (size_t p = 0; p < 2; ++p) learn(p, now.regret);
  }
}

void FullWidth::send_reach(size_t player, double decay) {
  descend_and_average(problem_.form.player[player], work_.threads, decay, learner_[player]);
}

void FullWidth::learn(size_t player, const kernels::RegretUpdate& update) {
  learn_against(problem_, player, learner_[1 - player].reach, update, work_, learner_[player]);
}

void RegretSolver::average_plan(size_t player, std::span<double> plan) const {
  std::ranges::copy(learner_[player].average, plan.begin());
}

tree::Strategy RegretSolver::strategy() const { return average_strategy(problem_, learner_); }

void RegretSolver::save(tree::Archive& archive) const {
  save_iterations(archive);
  save_learners(archive, learner_);
}

void RegretSolver::load(const tree::Archive& archive) {
  load_learners(archive, learner_);
  load_iterations(archive);
}

}  // namespace cleave::solve
