#include "solve/cfr_br.h"

#include <algorithm>

#include "solve/best_response_plan.h"
#include "solve/passes.h"
#include "solve/plan_state.h"

namespace cleave::solve {
namespace {

using tree::Group;
using tree::Treeplex;

std::unique_ptr<Solver> make(const Problem& problem, core::Params& params,
                             const RunOptions& options) {
  CfrBrParams p;
  p.average = params.real("average", p.average, 0, 100);
  return std::make_unique<CfrBr>(problem, options, p);
}

}  // namespace

CfrBr::CfrBr(const Problem& problem, const RunOptions& options, CfrBrParams params)
    : Solver(problem), params_(params), work_(problem) {
  work_.threads = options.threads;
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem.form.player[p];
    for (auto* array : {&side_[p].regret, &side_[p].average, &side_[p].reach}) {
      array->assign(plex.num_sequences, 0.0);
    }
    side_[p].strategy = uniform_plan_strategy(plex);
    side_[p].reach[tree::kEmptySequence] = 1;
  }
}

void CfrBr::iterate() {
  ++iterations_;
  for (size_t hero = 0; hero < 2; ++hero) learn(hero, average_decay(iterations_, params_.average));
}

void CfrBr::learn(size_t hero, double decay) {
  const Treeplex& plex = problem_.form.player[hero];
  const size_t opp = 1 - hero;
  Side& side = side_[hero];
  double& weight = side.average[tree::kEmptySequence];
  weight = weight * decay + 1;
  descend(plex, work_.threads, [&](const Group& group) {
    const size_t first = group.first_sequence;
    kernels::descend_and_average_group(
        group.num_actions, group.width, plex.parent.data() + group.first_position,
        side.strategy.data() + first, side.reach.data(), first, decay, side.average.data() + first);
  });
  best_response_values(problem_, static_cast<int>(opp), side.reach, work_, work_.q[opp]);
  best_response_plan(problem_.form.player[opp], work_.q[opp], work_.plan[opp]);
  double* q = work_.q[hero].data();
  problem_.form.payoff[hero].multiply(work_.plan[opp].data(), q, work_.threads);
  ascend(plex, work_.threads, q, work_.value.data(), [&](const Group& group, double* value) {
    const size_t first = group.first_sequence;
    kernels::update_group({.floor = true}, group.num_actions, group.width, q + first,
                          side.regret.data() + first, side.strategy.data() + first, value);
  });
}

void CfrBr::average_plan(int player, std::span<double> plan) const {
  std::ranges::copy(side_[static_cast<size_t>(player)].average, plan.begin());
}

tree::Strategy CfrBr::strategy() const {
  tree::Strategy strategy(problem_.tree.num_slots());
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem_.form.player[p];
    copy_behaviour(problem_.tree, plex, side_[p].strategy, strategy);
    tree::strategy_from_plan(problem_.tree, plex, side_[p].average, strategy);
  }
  return strategy;
}

void CfrBr::save(tree::Archive& archive) const {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
  for (size_t p = 0; p < 2; ++p) {
    save_reals(archive, "regret", p, side_[p].regret);
    save_reals(archive, "strategy", p, side_[p].strategy);
    save_reals(archive, "average", p, side_[p].average);
  }
}

void CfrBr::load(const tree::Archive& archive) {
  for (size_t p = 0; p < 2; ++p) {
    load_reals(archive, "regret", p, side_[p].regret);
    load_reals(archive, "strategy", p, side_[p].strategy);
    load_reals(archive, "average", p, side_[p].average);
  }
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
}

SolverInfo cfr_br_info() {
  return {"cfr-br",
          "CFR+ for each player against a best-responding opponent",
          {{"average", "1", "exponent of the weights t^average"}},
          false,
          make};
}

}  // namespace cleave::solve
