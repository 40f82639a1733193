#include "solve/full_width.h"

#include <algorithm>

#include "core/power.h"
#include "solve/passes.h"
#include "solve/plan_state.h"

namespace cleave::solve {

using tree::Group;
using tree::Treeplex;

core::ParamInfo updates_param() {
  return {"updates", "alternating", "alternating or simultaneous updates of the two players"};
}

Updates read_updates(core::Params& params) {
  return params.choice("updates", "alternating", {"alternating", "simultaneous"}) == "alternating"
             ? Updates::kAlternating
             : Updates::kSimultaneous;
}

double average_decay(int64_t t, double exponent) {
  return core::power(static_cast<double>(t - 1) / static_cast<double>(t), exponent);
}

FullWidth::FullWidth(const Problem& problem, const RunOptions& options, Updates updates,
                     Schedule schedule)
    : Solver(problem),
      updates_(updates),
      schedule_(std::move(schedule)),
      threads_(options.threads) {
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem.form.player[p];
    Side& side = side_[p];
    for (auto* array : {&side.regret, &side.average, &side.reach, &side.q}) {
      array->assign(plex.num_sequences, 0.0);
    }
    side.strategy = uniform_plan_strategy(plex);
    side.value.assign(plex.infoset.size(), 0.0);
    side.reach[tree::kEmptySequence] = 1;
  }
}

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
  const Treeplex& plex = problem_.form.player[player];
  Side& side = side_[player];
  double& weight = side.average[tree::kEmptySequence];
  weight = weight * decay + 1;
  descend(plex, threads_, [&](const Group& group) {
    kernels::descend_and_average_group(
        group.num_actions, group.width, plex.parent.data() + group.first_position,
        side.strategy.data() + group.first_sequence, side.reach.data(), group.first_sequence, decay,
        side.average.data() + group.first_sequence);
  });
}

void FullWidth::learn(size_t player, const kernels::RegretUpdate& update) {
  const Treeplex& plex = problem_.form.player[player];
  Side& side = side_[player];
  problem_.form.payoff[player].multiply(side_[1 - player].reach.data(), side.q.data(), threads_);
  ascend(plex, threads_, side.q.data(), side.value.data(), [&](const Group& group, double* value) {
    const size_t first = group.first_sequence;
    kernels::update_group(update, group.num_actions, group.width, side.q.data() + first,
                          side.regret.data() + first, side.strategy.data() + first, value);
  });
}

void FullWidth::average_plan(int player, std::span<double> plan) const {
  std::ranges::copy(side_[static_cast<size_t>(player)].average, plan.begin());
}

tree::Strategy FullWidth::strategy() const {
  tree::Strategy strategy(problem_.tree.num_slots());
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& plex = problem_.form.player[p];
    copy_behaviour(problem_.tree, plex, side_[p].strategy, strategy);
    tree::strategy_from_plan(problem_.tree, plex, side_[p].average, strategy);
  }
  return strategy;
}

void FullWidth::save(tree::Archive& archive) const {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
  for (size_t p = 0; p < 2; ++p) {
    const Side& side = side_[p];
    save_reals(archive, "regret", p, side.regret);
    save_reals(archive, "strategy", p, side.strategy);
    save_reals(archive, "average", p, side.average);
  }
}

void FullWidth::load(const tree::Archive& archive) {
  for (size_t p = 0; p < 2; ++p) {
    Side& side = side_[p];
    load_reals(archive, "regret", p, side.regret);
    load_reals(archive, "strategy", p, side.strategy);
    load_reals(archive, "average", p, side.average);
  }
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
}

}  // namespace cleave::solve
