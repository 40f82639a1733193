#include "solve/cfr_br.h"

#include <algorithm>

#include "solve/best_response_plan.h"

namespace cleave::solve {
namespace {

std::unique_ptr<Solver> make_cfr_br(const Problem& problem, core::Params& params,
                                    const RunOptions& options) {
  CfrBrParams p;
  p.average = params.real("average", p.average, 0, 100);
  return std::make_unique<CfrBr>(problem, options, p);
}

}  // namespace

CfrBr::CfrBr(const Problem& problem, const RunOptions& options, CfrBrParams params)
    : Solver(problem),
      params_(params),
      work_(problem),
      learner_{Learner(problem.form.player[0]), Learner(problem.form.player[1])} {
  work_.threads = options.threads;
}

void CfrBr::iterate() {
  ++iterations_;
  for (size_t hero = 0; hero < 2; ++hero) learn(hero, average_decay(iterations_, params_.average));
}

void CfrBr::learn(size_t hero, double decay) {
  const size_t opp = 1 - hero;
  Learner& learner = learner_[hero];
  descend_and_average(problem_.form.player[hero], work_.threads, decay, learner);
  best_response_values(problem_, static_cast<int>(opp), learner.reach, work_, work_.q[opp]);
  best_response_plan(problem_.form.player[opp], work_.q[opp], work_.plan[opp]);
  learn_against(problem_, hero, work_.plan[opp], {.floor = true}, work_, learner);
}

void CfrBr::average_plan(size_t player, std::span<double> plan) const {
  std::ranges::copy(learner_[player].average, plan.begin());
}

tree::Strategy CfrBr::strategy() const { return average_strategy(problem_, learner_); }

void CfrBr::save(tree::Archive& archive) const {
  save_iterations(archive);
  save_learners(archive, learner_);
}

void CfrBr::load(const tree::Archive& archive) {
  load_learners(archive, learner_);
  load_iterations(archive);
}

SolverInfo cfr_br_info() {
  return {"cfr-br",
          "CFR+ for each player against a best-responding opponent",
          {{"average", "1", "exponent of the weights t^average"}},
          false,
          make_cfr_br,
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
