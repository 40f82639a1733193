#include "solve/sequence_lp.h"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "solve/evaluate.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

using tree::kNone;
using tree::Tree;

constexpr double kLpTolerance = 1e-10;  // CLP's, on both feasibilities
// A plan's entries below this are rounding: reach is at most 1 and CLP is feasible to kLpTolerance.
constexpr double kZeroReach = 1e-9;
constexpr double kSmallest = 1e-100;  // keeps divisions by a scale apart from zero
// How often the other player errs where a player's information set cannot be reached otherwise.
constexpr double kTremble = 0.01;

// One player's sequences in the order of slots: 0 is the empty one, 1 + slot - first slot the rest.
struct Sequences {
  Sequences(const Tree& tree, size_t player)
      : first_set(tree.infoset_begin[player]),
        num_sets(tree.infoset_begin[player + 1] - first_set),
        first_slot(tree.slot_begin[first_set]),
        count(tree.slot_begin[first_set + num_sets] - first_slot + 1),
        at(tree.sequence[player]) {}

  int of_slot(uint32_t slot) const {
    return slot == kNone ? 0 : static_cast<int>(slot - first_slot + 1);
  }
  int of_history(size_t history) const { return of_slot(at[history]); }

  uint32_t first_set, num_sets, first_slot, count;
  const std::vector<uint32_t>& at;
};

struct Entry {
  int one, two;  // sequences of the players
  double value;
};

// The payoff matrix to player one by sequences: chance reach * payoff, one entry per terminal.
std::vector<Entry> payoff_entries(const Tree& tree, const Sequences& one, const Sequences& two) {
  std::vector<Entry> entries;
  std::vector<double> chance(tree.num_histories(), 1.0);
  for (size_t h = 0; h < tree.num_histories(); ++h) {
    if (h > 0) chance[h] = chance[tree.parent[h]] * tree.probability[h];
    if (tree.actor[h] != tree::kTerminal) continue;
    entries.push_back(
        {one.of_history(h), two.of_history(h), chance[h] * tree.payoff[tree.infoset[h]]});
  }
  return entries;
}

// A linear program while it is put together: minimise cost * x within bounds of columns and rows.
class Program {
 public:
  int add_columns(int count, double low, double high) {
    const int first = static_cast<int>(cost_.size());
    cost_.resize(cost_.size() + static_cast<size_t>(count), 0.0);
    column_low_.resize(cost_.size(), low);
    column_high_.resize(cost_.size(), high);
    return first;
  }
  int add_rows(int count, double low, double high) {
    const int first = static_cast<int>(row_low_.size());
    row_low_.resize(row_low_.size() + static_cast<size_t>(count), low);
    row_high_.resize(row_low_.size(), high);
    return first;
  }
  // Values of one (row, column) pair are summed up.
  void add(int row, int column, double value) {
    row_.push_back(row);
    column_.push_back(column);
    value_.push_back(value);
  }
  double& cost(int column) { return cost_[static_cast<size_t>(column)]; }
  void fix(int column, double value) {
    column_low_[static_cast<size_t>(column)] = column_high_[static_cast<size_t>(column)] = value;
  }

  void solve(ClpSimplex& clp) const {
    CoinPackedMatrix matrix(true, row_.data(), column_.data(), value_.data(),
                            static_cast<CoinBigIndex>(value_.size()));
    matrix.setDimensions(static_cast<int>(row_low_.size()), static_cast<int>(cost_.size()));
    clp.setLogLevel(0);
    clp.loadProblem(matrix, column_low_.data(), column_high_.data(), cost_.data(), row_low_.data(),
                    row_high_.data());
    clp.setPrimalTolerance(kLpTolerance);
    clp.setDualTolerance(kLpTolerance);
    // Coefficients are 1, -1 and payoffs brought to at most 1. CLP's scaling would only let it stop
    // at points that are infeasible in the unscaled program: 1e-10 of exploitability instead of
    // 1e-15.
    clp.scaling(0);
    clp.dual();
    clp.setPerturbation(100);  // off, to take back what the dual simplex has perturbed
    clp.primal(1);
    if (clp.status() != 0) {
      constexpr std::array kMeaning = {"optimal", "infeasible", "unbounded", "out of iterations",
                                       "stopped by errors"};
      const auto status = static_cast<size_t>(clp.status());
      throw core::RunError(fmt::format("CLP found no optimum of the linear program: status {} ({})",
                                       clp.status(),
                                       status < kMeaning.size() ? kMeaning[status] : "unknown"));
    }
  }

 private:
  std::vector<int> row_, column_;
  std::vector<double> value_, cost_, column_low_, column_high_, row_low_, row_high_;
};

// E x = e: x(empty) = 1; at every information set the actions' entries sum up to the entry that
// leads there. Returns the first column.
int add_plan(Program& program, const Tree& tree, const Sequences& own) {
  const int first = program.add_columns(static_cast<int>(own.count), 0, COIN_DBL_MAX);
  program.fix(first, 1);
  const int row = program.add_rows(static_cast<int>(own.num_sets), 0, 0);
  for (uint32_t i = 0; i < own.num_sets; ++i) {
    const uint32_t set = own.first_set + i;
    program.add(row + static_cast<int>(i), first + own.of_history(tree.first_history[set]), -1);
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      program.add(row + static_cast<int>(i), first + own.of_slot(slot), 1);
    }
  }
  return first;
}

struct Plans {
  double value = 0;                         // to player one, in units of the payoffs
  std::array<std::vector<double>, 2> plan;  // [player][sequence as in Sequences]
};

// Player one's program, its dual variables being player two's plan y: both come from one optimal
// basis, so that value and plans agree to rounding.
//   max over x, v of v(empty)   where x is a plan and for every sequence s of player two
//   v(set of s) - sum over sets J behind s of v(J) - sum over r of A(r, s) x(r) <= 0.
// v(J) is what player two concedes from J on. The row of the empty sequence, whose y is 1, is the
// objective. A is divided by its largest entry: tolerances are relative to the stakes.
Plans solve_plans(const Tree& tree) {
  const Sequences one(tree, 0), two(tree, 1);
  const std::vector<Entry> entries = payoff_entries(tree, one, two);
  double scale = kSmallest;
  for (const Entry& entry : entries) scale = std::max(scale, std::abs(entry.value));
  Program program;
  const int x = add_plan(program, tree, one);
  const int v = program.add_columns(static_cast<int>(two.num_sets), -COIN_DBL_MAX, COIN_DBL_MAX);
  const int row = program.add_rows(static_cast<int>(two.count) - 1, -COIN_DBL_MAX, 0) - 1;
  const auto put = [&](int sequence, int column, double value) {
    if (sequence == 0) {
      program.cost(column) += value;
    } else {
      program.add(row + sequence, column, value);
    }
  };
  for (uint32_t i = 0; i < two.num_sets; ++i) {
    const uint32_t set = two.first_set + i;
    put(two.of_history(tree.first_history[set]), v + static_cast<int>(i), -1);
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      put(two.of_slot(slot), v + static_cast<int>(i), 1);
    }
  }
  for (const Entry& entry : entries) {
    put(entry.two, x + entry.one, -entry.value / scale);
  }
  ClpSimplex clp;
  program.solve(clp);
  Plans plans;
  plans.value = -clp.objectiveValue() * scale;
  plans.plan[0].assign(clp.primalColumnSolution() + x, clp.primalColumnSolution() + x + one.count);
  plans.plan[1].resize(two.count, 1.0);
  // CLP's dual of a row "<= 0" of a minimisation is the change of cost per unit: never positive.
  for (uint32_t s = 1; s < two.count; ++s) {
    plans.plan[1][s] = -clp.dualRowSolution()[row + static_cast<int>(s)];
  }
  return plans;
}

// Behaviour at one information set from the plan; false, and nothing done, where the plan never
// comes there.
bool behaviour_from_plan(std::span<const double> plan, std::span<double> behaviour) {
  const auto clipped = [](double x) { return x < kZeroReach ? 0 : std::min(x, 1.0); };
  double sum = 0;
  for (const double x : plan) sum += clipped(x);
  if (sum == 0) return false;
  std::ranges::transform(plan, behaviour.begin(), [&](double x) { return clipped(x) / sum; });
  return true;
}

// Replaces the player's behaviour at the sets marked.
void respond_where(const Problem& problem, size_t p, const std::vector<bool>& marked,
                   const tree::Strategy& against, tree::Strategy& strategy) {
  const Tree& tree = problem.tree;
  tree::Strategy response = against;
  best_respond(problem, p, response);
  for (uint32_t set = tree.infoset_begin[p]; set < tree.infoset_begin[p + 1]; ++set) {
    if (!marked[set]) continue;
    std::copy(response.begin() + tree.slot_begin[set], response.begin() + tree.slot_begin[set + 1],
              strategy.begin() + tree.slot_begin[set]);
  }
}

// [infoset]: whether no history of it has a positive product of the other's probabilities.
std::vector<bool> cut_off_by_other(const Tree& tree, const tree::Strategy& strategy) {
  std::vector<bool> cut_off(tree.num_infosets(), true);
  std::vector<std::array<double, 2>> reach(tree.num_histories(), {1.0, 1.0});
  for (size_t h = 0; h < tree.num_histories(); ++h) {
    if (h > 0) {
      const uint32_t parent = tree.parent[h];
      reach[h] = reach[parent];
      const tree::Actor actor = tree.actor[parent];
      if (actor < 2) reach[h][actor] *= strategy[tree.slot_into(static_cast<uint32_t>(h))];
    }
    const tree::Actor actor = tree.actor[h];
    if (actor < 2 && reach[h][1 - actor] > 0) cut_off[tree.infoset[h]] = false;
  }
  return cut_off;
}

// At sets that a player's own plan never comes to: a counterfactual best response. Where the
// other's strategy does not come there either every action is one; of them the best response
// against an opponent who errs now and then is taken.
void fill_unreached(const Problem& problem, const std::vector<bool>& unreached,
                    tree::Strategy& strategy) {
  const tree::Strategy before = strategy;
  for (size_t player = 0; player < 2; ++player) {
    respond_where(problem, player, unreached, before, strategy);
  }
  std::vector<bool> both = cut_off_by_other(problem.tree, strategy);
  for (size_t set = 0; set < both.size(); ++set) both[set] = both[set] && unreached[set];
  tree::Strategy trembling = tree::uniform_strategy(problem.tree);
  for (size_t i = 0; i < trembling.size(); ++i) {
    trembling[i] = (1 - kTremble) * strategy[i] + kTremble * trembling[i];
  }
  for (size_t player = 0; player < 2; ++player) {
    respond_where(problem, player, both, trembling, strategy);
  }
}

}  // namespace

LpSolution solve_lp(const Problem& problem) {
  const Tree& tree = problem.tree;
  const Plans plans = solve_plans(tree);
  LpSolution solution{plans.value + tree.shift, tree::uniform_strategy(tree)};
  std::vector<bool> unreached(tree.num_infosets(), false);
  for (size_t p = 0; p < 2; ++p) {
    const Sequences own(tree, p);
    for (uint32_t set = own.first_set; set < own.first_set + own.num_sets; ++set) {
      const uint32_t slot = tree.slot_begin[set];
      const size_t count = tree.num_actions(set);
      const std::span plan(plans.plan[p]);
      unreached[set] =
          !behaviour_from_plan(plan.subspan(static_cast<size_t>(own.of_slot(slot)), count),
                               std::span(solution.strategy).subspan(slot, count));
    }
  }
  fill_unreached(problem, unreached, solution.strategy);
  return solution;
}

SolverInfo sequence_lp_info() {
  return {"lp",
          "sequence-form linear program by coin-or CLP: exact, for small and middle-sized games",
          {},
          true,
          [](const Problem& problem, core::Params&, const RunOptions&) -> std::unique_ptr<Solver> {
            return std::make_unique<OneShot>(problem, solve_lp);
          }};
}

}  // namespace cleave::solve
