#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>

#include "solve/ira/partition.h"
#include "solve/learner.h"
#include "solve/solvers.h"

namespace cleave::solve {

using tree::Group;
using tree::kEmptySequence;
using tree::Treeplex;

namespace {

// Values of the opponent's strategies that differ by less, relative to the largest payoff, differ
// by rounding.
constexpr double kDeltaTolerance = 1e-14;

// What happens to the cells once averaging within them would change what some strategy of the
// opponent is worth.
enum class CellRule : uint8_t {
  kPaper,  // as published: every set that the best response visits leaves its cell
  kLeast,  // only sets that must play apart from now on are parted
  kMerge,  // the same, and cells that have come to play alike are joined again
};

CellRule read_rule(core::Params& params) {
  const std::string cells = params.choice("cells", "merge", {"merge", "least", "paper"});
  if (cells == "merge") return CellRule::kMerge;
  return cells == "least" ? CellRule::kLeast : CellRule::kPaper;
}

// Calls act(run) for each run of items with equal keys.
template <class T, class Key, class Act>
void for_each_run(std::span<const T> items, const Key& key, const Act& act) {
  for (size_t first = 0, end = 0; first < items.size(); first = end) {
    const auto value = std::invoke(key, items[first]);
    while (end < items.size() && std::invoke(key, items[end]) == value) ++end;
    act(items.subspan(first, end - first));
  }
}

// A plan is walked rather than filled in while fewer than one in so many sequences are reached.
constexpr size_t kFew = 8;

// Joining pays once there are a sixteenth more cells than the last time left.
size_t next_joining(size_t cells) { return cells + cells / 16 + 16; }

// Fictitious play in an imperfect-recall abstraction that refines itself (Cermak, Bosansky, Lisy
// 2017). Both players in turn best-respond in the original game to the other's average and average
// the response in by lemma 1. Cells that cannot carry the new average are split, so that in every
// iteration exploitability is that of xfp(updates=alternating,start=first) with the same ties
// (theorem 1).
//
// A cell keeps one weight for each action: how often a set of it that is reached was played so. As
// long as all weights are whole numbers below 2^53, which holds unless an average was kept whose
// cells differ without harm, expanded plans are the very sums that fictitious play keeps.
class Fpira final : public Solver {
 public:
  Fpira(const Problem& problem, core::Params& params, const RunOptions& options)
      : Solver(problem),
        rule_(read_rule(params)),
        ties_(read_ties(params)),
        work_(problem, options.threads),
        followers_{Followers(problem.form.player[0]), Followers(problem.form.player[1])} {
    for (const double payoff : problem.tree.payoff) {
      payoff_scale_ = std::max(payoff_scale_, std::abs(payoff));
    }
    for (size_t p = 0; p < 2; ++p) {
      Side& side = side_[p];
      side.cells = coarse_partition(problem.form.player[p], options.seed + p);
      side.play.weight.assign(side.cells.num_values(), 0);
      side.play.total.assign(side.cells.num_cells(), 1);
      for (size_t c = 0; c < side.cells.num_cells(); ++c) {
        side.play.weight[side.cells.first_value[c]] = 1;
      }
      first_cells_ += side.cells.num_cells();
      join_above_[p] = next_joining(side.cells.num_cells());
      expand(p);
    }
    most_cells_ = first_cells_;
    difference_.resize(std::max(work_.plan[0].size(), work_.plan[1].size()));
  }

  void iterate() override {
    ++iterations_;
    for (size_t p = 0; p < 2; ++p) {
      expand(1 - p);
      respond(p);
      update(p);
      ++updates_[p];
    }
  }

  void average_plan(size_t p, std::span<double> plan) const override {
    plan[kEmptySequence] = static_cast<double>(updates_[p] + 1);
    expand_plan(problem_.form.player[p], side_[p].cells, side_[p].play, work_.threads, plan);
  }

  tree::Strategy strategy() const override {
    tree::Strategy strategy(problem_.tree.num_slots());
    for (size_t p = 0; p < 2; ++p) {
      expand_strategy(problem_, p, side_[p].cells, side_[p].play, strategy);
    }
    return strategy;
  }

  std::optional<Abstraction> abstraction() const override {
    Abstraction result;
    std::array<Side, 2> sides = side_;
    for (size_t p = 0; p < 2; ++p) {
      Side& side = sides[p];
      if (rule_ == CellRule::kMerge) join_alike(problem_.form.player[p], side.cells, side.play);
      result.strategy_bytes += (side.play.weight.size() + side.play.total.size()) * sizeof(double);
    }
    describe_cells(problem_, {&sides[0].cells, &sides[1].cells}, result);
    result.first_cells = first_cells_;
    result.most_cells = most_cells_;
    result.largest_response = largest_response_;
    result.response_bytes = largest_response_ * sizeof(Visit);
    return result;
  }

  void save_state(tree::Archive& archive) const override {
    for (size_t p = 0; p < 2; ++p) {
      save_partition(archive, p, side_[p].cells);
      save_reals(archive, "weight", p, side_[p].play.weight);
    }
    archive.words["fpira"] = {first_cells_, most_cells_, largest_response_, join_above_[0],
                              join_above_[1]};
  }

  void load_state(const tree::Archive& archive) override {
    const std::vector<uint64_t>& counts = archive.word("fpira", 5);
    first_cells_ = counts[0];
    most_cells_ = counts[1];
    largest_response_ = counts[2];
    for (size_t p = 0; p < 2; ++p) {
      join_above_[p] = counts[3 + p];
      updates_[p] = iterations_;
      Side& side = side_[p];
      side.cells = load_partition(archive, p, problem_.form.player[p]);
      side.play.weight.resize(side.cells.num_values());
      load_reals(archive, "weight", p, side.play.weight);
      side.play.total.resize(side.cells.num_cells());
      for (uint32_t c = 0; c < side.play.total.size(); ++c) side.add_up(c);
      expand(p);
    }
  }

 private:
  struct Side {
    Partition cells;
    Play play;

    std::span<double> weights(uint32_t cell) { return play.weights(cells, cell); }
    void add_up(uint32_t cell) {
      const auto weight = weights(cell);
      play.total[cell] = std::accumulate(weight.begin(), weight.end(), 0.0);
    }
  };
  // An information set that the best response reaches, and what it does there.
  struct Visit {
    uint32_t position;
    uint32_t action;
  };
  using Visits = std::span<const Visit>;

  uint32_t cell_of(const Visit& visit) const { return side_[turn_].cells.cell[visit.position]; }
  double reach_of(const Visit& visit) const {
    return work_.plan[turn_][problem_.form.player[turn_].parent[visit.position]];
  }

  template <class Act>
  void for_each_visited_cell(const Act& act) const {
    for_each_run(
        Visits(response_), [&](const Visit& visit) { return cell_of(visit); }, act);
  }

  void expand(size_t player) {
    reach_[player].assign(side_[player].cells.num_cells(), 0);
    // What was reached once stays so: the way is chosen anew only until there is much of it.
    few(player) ? expand_reached(player) : expand_all(player);
  }

  bool few(size_t player) const {
    return kFew * reached_[player].size() < work_.plan[player].size();
  }

  void expand_all(size_t player) {
    const Treeplex& plex = problem_.form.player[player];
    const std::vector<uint32_t>& cell = side_[player].cells.cell;
    const core::Reals& plan = work_.plan[player];
    average_plan(player, work_.plan[player]);
    for (size_t i = 0; i < plex.parent.size(); ++i) {
      const double here = plan[plex.parent[i]];
      if (here != 0) reach_[player][cell[i]] += here;
    }
  }

  // The same, touching only what is reached now or was before.
  void expand_reached(size_t player) {
    const Side& side = side_[player];
    const Followers& followers = followers_[player];
    std::vector<uint32_t>& reached = reached_[player];
    core::Reals& plan = work_.plan[player];
    for (const uint32_t sequence : reached) plan[sequence] = 0;
    reached.assign(1, kEmptySequence);
    plan[kEmptySequence] = static_cast<double>(updates_[player] + 1);
    for (size_t r = 0; r < reached.size(); ++r) {
      const double here = plan[reached[r]];
      for (const uint32_t position : followers.after(reached[r])) {
        const uint32_t cell = side.cells.cell[position];
        const double* weight = side.play.weight.data() + side.cells.first_value[cell];
        reach_[player][cell] += here;
        const Group& set = followers.alone[position];
        for (uint32_t a = 0; a < set.num_actions; ++a) {
          if (weight[a] == 0) continue;
          const uint32_t sequence = set.first_sequence + a * set.width;
          plan[sequence] = here * weight[a] / side.play.total[cell];
          reached.push_back(sequence);
        }
      }
    }
  }

  void respond(size_t player) {
    turn_ = player;
    const Followers& followers = followers_[player];
    const core::Reals& q = work_.q[player];
    best_response_values(problem_, player, work_.plan[1 - player], work_, work_.q[player]);
    response_.clear();
    taken_.assign(1, kEmptySequence);
    for (size_t t = 0; t < taken_.size(); ++t) {
      for (const uint32_t position : followers.after(taken_[t])) {
        const Group& set = followers.alone[position];
        const auto action =
            static_cast<uint32_t>(best_action(q.data() + set.first_sequence, set, 0, ties_));
        taken_.push_back(set.first_sequence + action * set.width);
        response_.push_back({position, action});
      }
    }
    largest_response_ = std::max(largest_response_, response_.size());
    order_.clear();
    for (const Visit& visit : response_) {
      order_.emplace_back(cell_of(visit), visit.action, reach_of(visit), visit.position);
    }
    std::ranges::sort(order_);
    std::ranges::transform(order_, response_.begin(), [](const auto& place) {
      return Visit{std::get<3>(place), std::get<1>(place)};
    });
  }

  bool unchanged(const Visit& visit) const {
    const Side& side = side_[turn_];
    const uint32_t cell = cell_of(visit);
    return side.play.weight[side.cells.first_value[cell] + visit.action] == side.play.total[cell];
  }

  // The visited sets leave for a cell of their own that plays as they did, unless they are all of
  // it.
  void split_off(uint32_t cell, Visits visits) {
    Side& side = side_[turn_];
    if (visits.size() == side.cells.size[cell]) return;
    const uint32_t fresh = side.cells.add_cell(side.cells.num_actions(cell));
    side.play.weight.resize(side.cells.num_values());
    std::ranges::copy(side.weights(cell), side.weights(fresh).begin());
    side.play.total.push_back(double{side.play.total[cell]});
    double reach = 0;
    for (const Visit& visit : visits) {
      side.cells.move(visit.position, fresh);
      reach += reach_of(visit);
    }
    reach_[turn_].push_back(reach);
    reach_[turn_][cell] -= reach;
  }

  // Groups of the visited sets of one cell, runs of equal keys, get cells of their own. What stays:
  // the sets that are not visited; unless splitting as published, also those that go on playing as
  // the cell does, and, where nothing else that is reached stays, the first group.
  template <class Key>
  void part(Visits visits, const Key& key) {
    const uint32_t cell = cell_of(visits.front());
    const bool sparing = rule_ != CellRule::kPaper;
    double visited = 0;
    bool taken = !sparing;  // whether the cell has reached sets that stay
    for (const Visit& visit : visits) {
      visited += reach_of(visit);
      taken = taken || unchanged(visit);
    }
    taken = taken || visited < reach_[turn_][cell];
    for_each_run(visits, key, [&](Visits group) {
      if (sparing && unchanged(group.front())) return;
      if (taken) {
        split_off(cell, group);
      } else {
        taken = true;
      }
    });
  }

  // Case 1: the best response has one action in each cell.
  void make_playable() {
    for_each_visited_cell([&](Visits visits) {
      if (visits.front().action != visits.back().action) part(visits, &Visit::action);
    });
  }

  // Whether averaging in the cell as a whole gives each of its reached sets what averaging in the
  // original game would: the visited ones were reached alike, and no other was.
  bool carries(Visits visits) const {
    const uint32_t cell = cell_of(visits.front());
    const double reach = reach_of(visits.front());
    if (unchanged(visits.front()) || side_[turn_].cells.size[cell] == 1) return true;
    return reach_of(visits.back()) == reach &&
           reach * static_cast<double>(visits.size()) == reach_[turn_][cell];
  }

  // Lemma 1 with the average's weight to the pure response's as `reach` to 1.
  void average_in(uint32_t cell, uint32_t action, double reach) {
    Side& side = side_[turn_];
    const std::span<double> weight = side.weights(cell);
    if (weight[action] == side.play.total[cell]) return;
    for (double& w : weight) w = reach * w / side.play.total[cell];
    weight[action] += 1;
    side.add_up(cell);
  }

  void average_in_cells() {
    for_each_visited_cell([&](Visits visits) {
      const uint32_t cell = cell_of(visits.front());
      average_in(cell, visits.front().action,
                 reach_[turn_][cell] / static_cast<double>(visits.size()));
    });
  }

  // How much averaging in the abstraction, done already, changes what any pure strategy of the
  // opponent is worth against averaging in the original game: one product with the payoffs, a pass
  // up for the largest gain and one for the largest loss.
  double delta() {
    const size_t other = 1 - turn_;
    const core::Reals& before = work_.plan[turn_];
    const std::span<double> difference(difference_.data(), before.size());
    difference[kEmptySequence] = before[kEmptySequence] + 1;
    expand_plan(problem_.form.player[turn_], side_[turn_].cells, side_[turn_].play, work_.threads,
                difference);
    if (few(turn_)) {
      for (const uint32_t sequence : reached_[turn_]) difference[sequence] -= before[sequence];
    } else {
      for (size_t i = 0; i < before.size(); ++i) difference[i] -= before[i];
    }
    for (const uint32_t sequence : taken_) difference[sequence] -= 1;
    core::Reals& gain = work_.q[other];
    problem_.form.multiply(other, difference.data(), gain.data(), work_.threads);
    const std::span<double> loss(difference_.data(), gain.size());
    std::ranges::transform(gain, loss.begin(), std::negate());
    const Treeplex& plex = problem_.form.player[other];
    return std::max(maximise(plex, gain, work_), maximise(plex, loss, work_)) /
           before[kEmptySequence];
  }

  // Case 2: visited sets are parted so that each gets what averaging in the original game gives it.
  void refine() {
    for_each_visited_cell([&](Visits visits) {
      if (rule_ == CellRule::kPaper) {
        part(visits, &Visit::position);
      } else if (!carries(visits)) {
        part(visits, [&](const Visit& visit) { return reach_of(visit); });
      }
    });
  }

  void update(size_t player) {
    Side& side = side_[player];
    make_playable();
    bool exact = true;
    kept_.clear();
    for_each_visited_cell([&](Visits visits) {
      exact = exact && carries(visits);
      const uint32_t cell = cell_of(visits.front());
      std::ranges::copy(side.weights(cell), std::back_inserter(kept_));
      kept_.push_back(side.play.total[cell]);
    });
    average_in_cells();
    if (!exact && delta() > kDeltaTolerance * payoff_scale_) {
      auto kept = kept_.begin();
      for_each_visited_cell([&](Visits visits) {
        const uint32_t cell = cell_of(visits.front());
        for (double& weight : side.weights(cell)) weight = *kept++;
        side.play.total[cell] = *kept++;
      });
      refine();
      for_each_visited_cell([&](Visits visits) {
        average_in(cell_of(visits.front()), visits.front().action, reach_of(visits.front()));
      });
    }
    most_cells_ = std::max(most_cells_, side_[0].cells.num_cells() + side_[1].cells.num_cells());
    if (rule_ == CellRule::kMerge && side.cells.num_cells() > join_above_[player]) {
      join_alike(problem_.form.player[player], side.cells, side.play);
      join_above_[player] = next_joining(side.cells.num_cells());
    }
  }

  const CellRule rule_;
  const Ties ties_;
  std::array<Side, 2> side_;
  size_t first_cells_ = 0;
  size_t most_cells_ = 0;
  size_t largest_response_ = 0;
  std::array<int64_t, 2> updates_ = {};
  std::array<size_t, 2> join_above_ = {};  // [player]: cells that set off the next joining

  // Scratch: nothing here but what can be had again from the above.
  size_t turn_ = 0;
  std::vector<Visit> response_;  // by cell, action, reach
  std::vector<std::tuple<uint32_t, uint32_t, double, uint32_t>>
      order_;                    // cell, action, reach, position
  std::vector<uint32_t> taken_;  // its sequences
  Workspace work_;               // plan: both players' averages, expanded, before the update
  std::array<std::vector<double>, 2> reach_;      // [player][cell]: summed over its sets
  std::array<std::vector<uint32_t>, 2> reached_;  // [player]: the average's sequences, while few
  std::array<Followers, 2> followers_;
  core::Reals difference_;  // [sequence]
  std::vector<double> kept_;
  double payoff_scale_ = 0;
};

}  // namespace

SolverInfo fpira_info() {
  return entry_of<Fpira>(
      "fpira", "fictitious play in an imperfect-recall abstraction that refines itself",
      SolverInfo::kCoarse,
      {{"cells", "merge", "splits as in the paper, the least that is needed, or that and merges"},
       ties_param()});
}

}  // namespace cleave::solve
