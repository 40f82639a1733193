#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/power.h"
#include "solve/ira/partition.h"
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

// CFR+ in an imperfect-recall abstraction that refines itself. A cell has the sum of its sets'
// counterfactual regrets and one average; both players' values are computed in the original game.
// Now and then the average is measured by best responses in the original game and sets that
// account for much of the gap leave their cells, to learn afresh (docs/abstraction.md has the
// decomposition of the gap that this rests on, and the bound).
//
// Regrets and averages are kept in 32-bit numbers.
class CfrIra final : public Solver {
 public:
  CfrIra(const Problem& problem, core::Params& params, const RunOptions& options)
      : Solver(problem),
        share_(params.real("share", 1, 0, 1e6)),
        gamma_(params.real("gamma", 5, 0, 100)),
        bound_(params.real("bound", 4, 0, 1e6)),
        work_(problem, options.threads) {
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

  void iterate() override {
    ++iterations_;
    const double t = static_cast<double>(iterations_);
    const double decay = core::power((t - 1) / t, gamma_);
    for (size_t p = 0; p < 2; ++p) {
      send_reach(1 - p, decay);
      learn(p);
    }
    if (iterations_ == next_look(iterations_)) look();
  }

  void average_plan(size_t p, std::span<double> plan) const override {
    Play play;
    average_play(side_[p], play);
    expand(p, play, plan);
  }

  tree::Strategy strategy() const override {
    tree::Strategy strategy(problem_.tree.num_slots());
    for (size_t p = 0; p < 2; ++p) {
      Play play;
      average_play(side_[p], play);
      expand_strategy(problem_, p, side_[p].cells, play, strategy);
    }
    return strategy;
  }

  std::optional<Abstraction> abstraction() const override {
    Abstraction result;
    describe_cells(problem_, {&side_[0].cells, &side_[1].cells}, result);
    result.first_cells = first_cells_;
    result.most_cells = result.cells;
    for (const Side& side : side_) {
      result.strategy_bytes += (side.regret.size() + side.average.size()) * sizeof(float);
    }
    return result;
  }

  void save_state(tree::Archive& archive) const override {
    for (size_t p = 0; p < 2; ++p) {
      save_partition(archive, p, side_[p].cells);
      for (const auto& [name, values] : kStored) {
        const std::vector<float>& narrow = side_[p].*values;
        save_reals(archive, name, p, std::vector<double>(narrow.begin(), narrow.end()));
      }
    }
    archive.words["cfr-ira"] = {first_cells_, static_cast<uint64_t>(last_look_),
                                static_cast<uint64_t>(halvings_)};
    archive.reals["last_gap"] = {last_gap_};
  }

  void load_state(const tree::Archive& archive) override {
    const std::vector<uint64_t>& counts = archive.word("cfr-ira", 3);
    first_cells_ = counts[0];
    last_look_ = static_cast<int64_t>(counts[1]);
    halvings_ = static_cast<int>(counts[2]);
    last_gap_ = archive.real("last_gap", 1)[0];
    for (size_t p = 0; p < 2; ++p) {
      Side& side = side_[p];
      side.cells = load_partition(archive, p, problem_.form.player[p]);
      std::vector<double> wide(side.cells.num_values());
      for (const auto& [name, values] : kStored) {
        load_reals(archive, name, p, wide);
        (side.*values).assign(wide.begin(), wide.end());
      }
      match_regrets(side, play_[p]);
    }
  }

 private:
  struct Side {
    Partition cells;
    std::vector<float> regret;   // [value], never below 0
    std::vector<float> average;  // [value]: sum of reach * probability, later iterations for more
  };
  static constexpr std::pair<const char*, std::vector<float> Side::*> kStored[] = {
      {"regret", &Side::regret}, {"average", &Side::average}};

  // Cell by cell in proportion to the first of `learnt` that is not all zero there, else uniform.
  static void play_by(const Partition& cells,
                      std::initializer_list<const std::vector<float>*> learnt, Play& play) {
    play.weight.resize(cells.num_values());
    play.total.resize(cells.num_cells());
    for (uint32_t c = 0; c < play.total.size(); ++c) {
      const std::span<double> weight = play.weights(cells, c);
      double total = 0;
      for (const std::vector<float>* values : learnt) {
        const float* value = values->data() + cells.first_value[c];
        for (double& w : weight) {
          w = static_cast<double>(*value++);
          total += w;
        }
        if (total != 0) break;
      }
      if (total == 0) {
        std::ranges::fill(weight, 1.0);
        total = static_cast<double>(weight.size());
      }
      play.total[c] = total;
    }
  }
  static void match_regrets(const Side& side, Play& play) {
    play_by(side.cells, {&side.regret}, play);
  }
  // Where nothing was averaged yet, the current strategy.
  static void average_play(const Side& side, Play& play) {
    play_by(side.cells, {&side.average, &side.regret}, play);
  }

  void expand(size_t player, const Play& play, std::span<double> plan) const {
    plan[kEmptySequence] = 1;
    expand_plan(problem_.form.player[player], side_[player].cells, play, work_.threads, plan);
  }

  // Down: the player's reach from its strategy, and into its average.
  void send_reach(size_t player, double decay) {
    const Treeplex& plex = problem_.form.player[player];
    Side& side = side_[player];
    core::Reals& plan = work_.plan[player];
    expand(player, play_[player], plan);
    sum_.assign(side.cells.num_values(), 0);
    plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
      const uint32_t position = group.first_position + m;
      if (plan[plex.parent[position]] == 0) return;
      double* sum = sum_.data() + side.cells.first_value[side.cells.cell[position]];
      const double* reach = plan.data() + group.first_sequence + m;
      for (uint32_t a = 0; a < group.num_actions; ++a) sum[a] += reach[size_t{a} * group.width];
    });
    for (size_t v = 0; v < sum_.size(); ++v) {
      side.average[v] = static_cast<float>(static_cast<double>(side.average[v]) * decay + sum_[v]);
    }
  }

  // Up: counterfactual values in the original game, regrets summed over the sets of a cell.
  void learn(size_t player) {
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
    plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
      const uint32_t position = group.first_position + m;
      double* sum = sum_.data() + side.cells.first_value[side.cells.cell[position]];
      const double* values = q + group.first_sequence + m;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        sum[a] += values[size_t{a} * group.width] - work_.value[position];
      }
    });
    for (size_t v = 0; v < sum_.size(); ++v) {
      side.regret[v] =
          static_cast<float>(std::max(0.0, static_cast<double>(side.regret[v]) + sum_[v]));
    }
    match_regrets(side, play);
  }

  // Measures the averages and lets sets that account for much of the gap leave their cells.
  void look() {
    for (size_t p = 0; p < 2; ++p) {
      average_play(side_[p], play_[p]);
      expand(p, play_[p], work_.plan[p]);
    }
    double gap = 0;
    for (size_t p = 0; p < 2; ++p) {
      gap += best_response_values(problem_, p, work_.plan[1 - p], work_, work_.q[p]);
    }
    const double now = static_cast<double>(iterations_);
    const bool violated = gap > bound_ * payoff_range_ / std::sqrt(now);
    const bool slow =
        last_look_ > 0 && gap > last_gap_ * std::sqrt(static_cast<double>(last_look_) / now);
    halvings_ = slow ? std::min(halvings_ + 1, kMostHalvings) : std::max(halvings_ - 1, 0);
    last_look_ = iterations_;
    last_gap_ = gap;
    const double threshold =
        violated ? 0 : std::ldexp(share_, -halvings_) * gap / static_cast<double>(num_cells());
    size_t left = 0;
    for (size_t p = 0; p < 2; ++p) left += split(p, threshold);
    if (violated && left == 0) split_largest();
    for (size_t p = 0; p < 2; ++p) match_regrets(side_[p], play_[p]);
  }

  // The gap is the sum over both players' sets of own reach times what the average loses there
  // against the best response's values. Sets that are reached by following the best response from
  // some set on count as if that one's reach carried over: what is wrong below a move that is never
  // made keeps it from being made. Returns how many sets left.
  size_t split(size_t player, double threshold) {
    const Treeplex& plex = problem_.form.player[player];
    const Play& play = play_[player];
    const core::Reals& q = work_.q[player];
    core::Reals& reach = work_.plan[player];
    size_t left = 0;
    plex.for_each_set([&](const Group& group, uint32_t m, uint32_t) {
      const uint32_t position = group.first_position + m;
      const double here = reach[plex.parent[position]];
      if (here == 0) return;
      const size_t first = group.first_sequence + m;
      const size_t best =
          first + best_action(q.data() + group.first_sequence, group, m) * group.width;
      reach[best] = std::max(reach[best], here);
      const Partition& cells = side_[player].cells;
      const uint32_t cell = cells.cell[position];
      if (cells.size[cell] == 1) return;  // as those that have just left
      double value = 0;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        value += play.weight[cells.first_value[cell] + a] * q[first + size_t{a} * group.width];
      }
      if (here * (q[best] - value / play.total[cell]) <= threshold) return;
      leave(player, position);
      ++left;
    });
    return left;
  }

  void split_largest() {
    std::array<std::vector<uint32_t>::const_iterator, 2> most;  // [player]
    for (size_t p = 0; p < 2; ++p) most[p] = std::ranges::max_element(side_[p].cells.size);
    const size_t player = *most[1] > *most[0] ? 1 : 0;
    const auto largest = static_cast<uint32_t>(most[player] - side_[player].cells.size.begin());
    const Partition& cells = side_[player].cells;
    for (uint32_t i = 0; i < cells.cell.size() && cells.size[largest] > 1; ++i) {
      if (cells.cell[i] == largest) leave(player, i);
    }
  }

  // To a cell of its own in which nothing is learnt yet: what the old cell has learnt was not about
  // this set.
  void leave(size_t player, uint32_t position) {
    Side& side = side_[player];
    const uint32_t num_actions = side.cells.num_actions(side.cells.cell[position]);
    side.cells.move(position, side.cells.add_cell(num_actions));
    side.regret.resize(side.cells.num_values(), 0);
    side.average.resize(side.cells.num_values(), 0);
  }

  size_t num_cells() const { return side_[0].cells.num_cells() + side_[1].cells.num_cells(); }

  double share_;  // an information set leaves its cell when it accounts for this many times a
                  // cell's mean share of the gap between the best responses
  double gamma_;  // iteration t weighs t^gamma in the average
  double bound_;  // the gap after T iterations, in payoff ranges / sqrt(T), above which every set
                  // that accounts for any of it leaves its cell
  double payoff_range_ = 0;
  std::array<Side, 2> side_;
  size_t first_cells_ = 0;
  int64_t last_look_ = 0;
  double last_gap_ = 0;  // then
  int halvings_ = 0;     // of share_, while the gap falls too slowly

  Workspace work_;
  std::array<Play, 2> play_;  // of the current strategies; while looking, of the averages
  std::vector<double> sum_;   // [value]
};

}  // namespace

int64_t next_look(int64_t iteration) {
  int64_t look = kLookEvery;
  while (look < iteration) look += std::max(kLookEvery, look / 5);
  return look;
}

SolverInfo cfr_ira_info() {
  return entry_of<CfrIra>(
      "cfr-ira", "cfr+ in an imperfect-recall abstraction that refines itself", SolverInfo::kMiddle,
      {{"share", "1", "a set leaves its cell at this many mean shares of the gap"},
       {"gamma", "5", "the average weighs iteration t by t^gamma"},
       {"bound", "4", "all sets that lose leave where the gap exceeds bound * range / sqrt(T)"}});
}

}  // namespace cleave::solve
