#include "solve/ira/cfr_ira.h"

#include <algorithm>
#include <cmath>

#include "core/power.h"
#include "solve/ira/records.h"
#include "solve/learner.h"
#include "solve/passes.h"
#include "solve/solvers.h"

namespace cleave::solve {

using tree::Group;
using tree::kEmptySequence;
using tree::kNone;
using tree::Treeplex;

namespace {

constexpr int64_t kLookEvery = 10;
constexpr int kMostHalvings = 30;

std::unique_ptr<Solver> make_cfr_ira(const Problem& problem, core::Params& params,
                                     const RunOptions& options) {
  CfrIraParams p;
  p.share = params.real("share", p.share, 0, 1e6);
  p.gamma = params.real("gamma", p.gamma, 0, 100);
  p.bound = params.real("bound", p.bound, 0, 1e6);
  return std::make_unique<CfrIra>(problem, options, p);
}

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}
std::vector<float> narrowed(const std::vector<double>& values) {
  std::vector<float> result(values.size());
  std::ranges::transform(values, result.begin(), [](double x) { return static_cast<float>(x); });
  return result;
}

}  // namespace

CfrIra::CfrIra(const Problem& problem, const RunOptions& options, CfrIraParams params)
    : Solver(problem), params_(params), work_(problem) {
  work_.threads = options.threads;
  const auto [least, most] = std::ranges::minmax(problem.tree.payoff);
  payoff_range_ = most - least;
  for (size_t p = 0; p < 2; ++p) {
    Side& side = side_[p];
    side.cells = coarse_partition(problem.form.player[p], options.seed + p);
    side.regret.assign(side.cells.num_values(), 0);
    side.average.assign(side.cells.num_values(), 0);
    match_regrets(side, play_[p]);
  }
  first_cells_ = num_cells();
}

int64_t CfrIra::next_look(int64_t iteration) {
  int64_t look = kLookEvery;
  while (look < iteration) look += std::max(kLookEvery, look / 5);
  return look;
}

double CfrIra::bound(int64_t iteration) const {
  return params_.bound * payoff_range_ / std::sqrt(static_cast<double>(iteration));
}

void CfrIra::match_regrets(const Side& side, Play& play) {
  play.weight.assign(side.regret.begin(), side.regret.end());
  play.total.resize(side.cells.num_cells());
  for (uint32_t c = 0; c < play.total.size(); ++c) {
    const std::span<double> weight(play.weight.data() + side.cells.first_value[c],
                                   side.cells.num_actions(c));
    double total = 0;
    for (const double w : weight) total += w;
    if (total == 0) {
      std::ranges::fill(weight, 1.0);
      total = static_cast<double>(weight.size());
    }
    play.total[c] = total;
  }
}

// Where nothing was averaged yet, the current strategy.
void CfrIra::average_play(const Side& side, Play& play) {
  match_regrets(side, play);
  for (uint32_t c = 0; c < play.total.size(); ++c) {
    const uint32_t first = side.cells.first_value[c];
    const uint32_t end = side.cells.first_value[c + 1];
    double total = 0;
    for (uint32_t v = first; v < end; ++v) total += static_cast<double>(side.average[v]);
    if (total == 0) continue;
    std::copy(side.average.begin() + first, side.average.begin() + end,
              play.weight.begin() + first);
    play.total[c] = total;
  }
}

// Down: the player's reach from its strategy, and into its average.
void CfrIra::send_reach(size_t player, double decay) {
  const Treeplex& plex = problem_.form.player[player];
  Side& side = side_[player];
  core::Reals& plan = work_.plan[player];
  expand(player, play_[player], plan);
  sum_.assign(side.cells.num_values(), 0);
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t position = group.first_position + m;
      if (plan[plex.parent[position]] == 0) continue;
      double* sum = sum_.data() + side.cells.first_value[side.cells.cell[position]];
      const double* reach = plan.data() + group.first_sequence + m;
      for (uint32_t a = 0; a < group.num_actions; ++a) sum[a] += reach[size_t{a} * group.width];
    }
  }
  for (size_t v = 0; v < sum_.size(); ++v) {
    side.average[v] = static_cast<float>(static_cast<double>(side.average[v]) * decay + sum_[v]);
  }
}

// Up: counterfactual values in the original game, regrets summed over the sets of a cell.
void CfrIra::learn(size_t player) {
  const Treeplex& plex = problem_.form.player[player];
  Side& side = side_[player];
  Play& play = play_[player];
  double* q = work_.q[player].data();
  problem_.form.multiply(player, work_.plan[1 - player].data(), q, work_.threads);
  ascend(plex, work_.threads, q, work_.value.data(), [&](const Group& group, double* value) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t cell = side.cells.cell[group.first_position + m];
      value[m] = 0;
      if (cell == kNone) continue;
      const double* weight = play.weight.data() + side.cells.first_value[cell];
      const double* values = q + group.first_sequence + m;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        value[m] += weight[a] * values[size_t{a} * group.width];
      }
      value[m] /= play.total[cell];
    }
  });
  sum_.assign(side.cells.num_values(), 0);
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t position = group.first_position + m;
      const uint32_t cell = side.cells.cell[position];
      if (cell == kNone) continue;
      double* sum = sum_.data() + side.cells.first_value[cell];
      const double* values = q + group.first_sequence + m;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        sum[a] += values[size_t{a} * group.width] - work_.value[position];
      }
    }
  }
  for (size_t v = 0; v < sum_.size(); ++v) {
    side.regret[v] =
        static_cast<float>(std::max(0.0, static_cast<double>(side.regret[v]) + sum_[v]));
  }
  match_regrets(side, play);
}

void CfrIra::iterate() {
  ++iterations_;
  const double t = static_cast<double>(iterations_);
  const double decay = core::power((t - 1) / t, params_.gamma);
  for (size_t p = 0; p < 2; ++p) {
    send_reach(1 - p, decay);
    learn(p);
  }
  if (iterations_ == next_look(iterations_)) look();
}

// Measures the averages and lets sets that account for much of the gap leave their cells.
void CfrIra::look() {
  for (size_t p = 0; p < 2; ++p) {
    average_play(side_[p], play_[p]);
    expand(p, play_[p], work_.plan[p]);
  }
  double gap = 0;
  for (size_t p = 0; p < 2; ++p) {
    gap += best_response_values(problem_, p, work_.plan[1 - p], work_, work_.q[p]);
  }
  const bool violated = gap > bound(iterations_);
  const double now = static_cast<double>(iterations_);
  const bool slow =
      last_look_ > 0 && gap > last_gap_ * std::sqrt(static_cast<double>(last_look_) / now);
  halvings_ = slow ? std::min(halvings_ + 1, kMostHalvings) : std::max(halvings_ - 1, 0);
  last_look_ = iterations_;
  last_gap_ = gap;
  const double threshold =
      violated ? 0 : std::ldexp(params_.share, -halvings_) * gap / static_cast<double>(num_cells());
  size_t left = 0;
  for (size_t p = 0; p < 2; ++p) left += split(p, threshold);
  if (violated && left == 0) split_largest();
  for (size_t p = 0; p < 2; ++p) match_regrets(side_[p], play_[p]);
}

// The gap is the sum over both players' sets of own reach times what the average loses there
// against the best response's values. Sets that are reached by following the best response from
// some set on count as if that one's reach carried over: what is wrong below a move that is never
// made keeps it from being made. Returns how many sets left.
size_t CfrIra::split(size_t player, double threshold) {
  const Treeplex& plex = problem_.form.player[player];
  const Play& play = play_[player];
  const core::Reals& q = work_.q[player];
  core::Reals& reach = work_.plan[player];
  size_t left = 0;
  for (const Group& group : plex.groups) {
    for (uint32_t m = 0; m < group.width; ++m) {
      const uint32_t position = group.first_position + m;
      const double here = reach[plex.parent[position]];
      if (here == 0) continue;
      const size_t first = group.first_sequence + m;
      const size_t best =
          first + best_action(q.data() + group.first_sequence, group, m) * group.width;
      reach[best] = std::max(reach[best], here);
      const Partition& cells = side_[player].cells;
      const uint32_t cell = cells.cell[position];
      if (cells.size[cell] == 1) continue;  // as those that have just left
      double value = 0;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        value += play.weight[cells.first_value[cell] + a] * q[first + size_t{a} * group.width];
      }
      if (here * (q[best] - value / play.total[cell]) <= threshold) continue;
      leave(player, position);
      ++left;
    }
  }
  return left;
}

void CfrIra::split_largest() {
  size_t player = 0;
  uint32_t largest = 0;
  for (size_t p = 0; p < 2; ++p) {
    const std::vector<uint32_t>& size = side_[p].cells.size;
    for (uint32_t c = 0; c < size.size(); ++c) {
      if (size[c] > side_[player].cells.size[largest]) {
        player = p;
        largest = c;
      }
    }
  }
  const Partition& cells = side_[player].cells;
  for (uint32_t i = 0; i < cells.cell.size() && cells.size[largest] > 1; ++i) {
    if (cells.cell[i] == largest) leave(player, i);
  }
}

// To a cell of its own in which nothing is learnt yet: what the old cell has learnt was not about
// this set.
void CfrIra::leave(size_t player, uint32_t position) {
  Side& side = side_[player];
  const uint32_t num_actions = side.cells.num_actions(side.cells.cell[position]);
  side.cells.move(position, side.cells.add_cell(num_actions));
  side.regret.resize(side.cells.num_values(), 0);
  side.average.resize(side.cells.num_values(), 0);
}

void CfrIra::average_plan(size_t p, std::span<double> plan) const {
  Play play;
  average_play(side_[p], play);
  expand(p, play, plan);
}

void CfrIra::expand(size_t player, const Play& play, std::span<double> plan) const {
  plan[kEmptySequence] = 1;
  expand_plan(problem_.form.player[player], side_[player].cells, play, work_.threads, plan);
}

tree::Strategy CfrIra::strategy() const {
  tree::Strategy strategy(problem_.tree.num_slots());
  for (size_t p = 0; p < 2; ++p) {
    Play play;
    average_play(side_[p], play);
    expand_strategy(problem_, p, side_[p].cells, play, strategy);
  }
  return strategy;
}

std::optional<Abstraction> CfrIra::abstraction() const {
  Abstraction result;
  describe_cells(problem_, {&side_[0].cells, &side_[1].cells}, result);
  result.first_cells = first_cells_;
  result.most_cells = result.cells;
  for (const Side& side : side_) {
    result.strategy_bytes += (side.regret.size() + side.average.size()) * sizeof(float);
  }
  return result;
}

void CfrIra::save(tree::Archive& archive) const {
  save_iterations(archive);
  for (size_t p = 0; p < 2; ++p) {
    save_partition(archive, p, side_[p].cells);
    save_reals(archive, "regret", p, widened(side_[p].regret));
    save_reals(archive, "average", p, widened(side_[p].average));
  }
  archive.words["cfr-ira"] = {first_cells_, static_cast<uint64_t>(last_look_),
                              static_cast<uint64_t>(halvings_)};
  archive.reals["last_gap"] = {last_gap_};
}

void CfrIra::load(const tree::Archive& archive) {
  const std::vector<uint64_t>& counts = archive.word("cfr-ira", 3);
  load_iterations(archive);
  first_cells_ = counts[0];
  last_look_ = static_cast<int64_t>(counts[1]);
  halvings_ = static_cast<int>(counts[2]);
  last_gap_ = archive.real("last_gap", 1)[0];
  for (size_t p = 0; p < 2; ++p) {
    Side& side = side_[p];
    side.cells = load_partition(archive, p, problem_.form.player[p]);
    side.regret = narrowed(load_reals(archive, "regret", p, side.cells.num_values()));
    side.average = narrowed(load_reals(archive, "average", p, side.cells.num_values()));
    match_regrets(side, play_[p]);
  }
}

SolverInfo cfr_ira_info() {
  const CfrIraParams defaults;
  return {"cfr-ira",
          "cfr+ in an imperfect-recall abstraction that refines itself",
          {{"share", core::param_text(defaults.share),
            "a set leaves its cell at this many mean shares of the gap"},
           {"gamma", core::param_text(defaults.gamma), "the average weighs iteration t by t^gamma"},
           {"bound", core::param_text(defaults.bound),
            "all sets that lose leave where the gap exceeds bound * range / sqrt(T)"}},
          false,
          make_cfr_ira,
          SolverInfo::kMiddle};
}

}  // namespace cleave::solve
