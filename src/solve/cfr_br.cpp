#include "solve/best_response_plan.h"
#include "solve/full_width.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

class CfrBr final : public RegretSolver {
 public:
  CfrBr(const Problem& problem, const RunOptions& options, double average)
      : RegretSolver(problem, options.threads), average_(average) {}

  void iterate() override {
    ++iterations_;
    for (size_t hero = 0; hero < 2; ++hero) learn(hero, average_decay(iterations_, average_));
  }

 private:
  void learn(size_t hero, double decay) {
    const size_t opp = 1 - hero;
    Learner& learner = learner_[hero];
    descend_and_average(problem_.form.player[hero], work_.threads, decay, learner);
    best_response_values(problem_, opp, learner.reach, work_, work_.q[opp]);
    best_response_plan(problem_.form.player[opp], work_.q[opp], work_.plan[opp]);
    learn_against(problem_, hero, work_.plan[opp], {.floor = true}, work_, learner);
  }

  double average_;  // iteration t weighs t^average
};

}  // namespace

SolverInfo cfr_br_info() {
  return {"cfr-br",
          "CFR+ for each player against a best-responding opponent",
          {{"average", "1", "exponent of the weights t^average"}},
          false,
          [](const Problem& problem, core::Params& params,
             const RunOptions& options) -> std::unique_ptr<Solver> {
            return std::make_unique<CfrBr>(problem, options, params.real("average", 1, 0, 100));
          },
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
