#pragma once

#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "solve/solver.h"

// All solvers, each in the source of its name, the CFR family in schedules.cpp; registry.cpp lists
// them.
namespace cleave::solve {

// Whatever has a schedule: CFR, CFR+, linear, discounted and predictive CFR, and these with
// scheduled hyperparameters.
std::vector<SolverInfo> cfr_family();
// CFR-BR (Johanson et al. 2012), the trunk being the whole game: each player, in a game of its own,
// learns by regret matching plus against an opponent who best-responds to its current strategy.
// The average and, in the limit, the current strategies are optimal.
SolverInfo cfr_br_info();
// Fictitious play in behaviour strategies (XFP; lemma 1 of Cermak et al.): each iteration both
// players best-respond to the other's average and average the pure response in, weighted by reach.
// On plans that is a plain mean. Ties go to the first or to the last action within kTieTolerance,
// so that every implementation that does the same takes the same path. Starts from uniform play or
// from the first action everywhere, which counts as one iteration of the average.
SolverInfo fictitious_play_info();
SolverInfo fpira_info();
SolverInfo cfr_ira_info();
// The first iteration from `iteration` on at which cfr-ira looks at its abstraction: every 10,
// later every fifth more.
int64_t next_look(int64_t iteration);

// Chance-sampling CFR (Zinkevich, Johanson, Bowling and Piccione 2007): an iteration draws chance's
// actions, follows all of both players' and updates both at once.
SolverInfo chance_sampling_info();
// External-sampling MCCFR (Lanctot, Waugh, Zinkevich and Bowling 2009): one iteration walks once
// for each player, following all of the player's own actions and drawing everyone else's.
SolverInfo external_sampling_info();
// Pure external CFR, as Jackson's "two four-byte integers for each action at each information set":
// external sampling in which the walking player's strategy is drawn to one action too, so that
// regrets and average are whole numbers.
SolverInfo pure_cfr_info();

SolverInfo sequence_lp_info();
SolverInfo backward_induction_info();

// What the entries are made of. The loop of the whole CFR family; a member is a schedule:
std::unique_ptr<Solver> make_full_width(const Problem& problem, const RunOptions& options,
                                        Updates updates, Schedule schedule);
// The entry of a solver that reads its parameters as it is constructed.
template <class Made>
SolverInfo entry_of(const char* name, const char* summary, double accuracy,
                    std::vector<core::ParamInfo> params) {
  const auto make = [](const Problem& problem, core::Params& given,
                       const RunOptions& options) -> std::unique_ptr<Solver> {
    return std::make_unique<Made>(problem, given, options);
  };
  return {name, summary, std::move(params), false, make, accuracy};
}

// The option ties=first|last.
core::ParamInfo ties_param();
Ties read_ties(core::Params& params);

// An exact method as a solver: one iteration finds the answer. Uniform before it.
class OneShot final : public Solver {
 public:
  using Answer = ExactSolution (*)(const Problem& problem);
  OneShot(const Problem& problem, Answer answer)
      : Solver(problem), answer_(answer), strategy_(tree::uniform_strategy(problem.tree)) {}

  void iterate() override {
    if (finished()) return;
    strategy_ = answer_(problem_).strategy;
    ++iterations_;
  }
  bool finished() const override { return iterations_ > 0; }
  tree::Strategy strategy() const override { return strategy_; }

  void save_state(tree::Archive& archive) const override { archive.reals["strategy"] = strategy_; }
  void load_state(const tree::Archive& archive) override {
    strategy_ = archive.real("strategy", problem_.tree.num_slots());
  }

 private:
  Answer answer_;
  tree::Strategy strategy_;
};

}  // namespace cleave::solve
