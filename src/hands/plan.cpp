#include "hands/plan.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include "core/error.h"
#include "core/memory.h"
#include "core/units.h"
#include "fmt/format.h"
#include "solve/schedule.h"

namespace cleave::hands {

ProblemSize measure(const Problem& problem, const SolverOptions& options) {
  ProblemSize size;
  size.available = core::available_memory();
  std::optional<Layout> sketch;
  // Boards of whole games may be too many even to be listed.
  if (problem.pot == 0) size.counts = estimate(problem.setup);
  if (problem.pot > 0 || can_sketch(size.counts)) {
    sketch = sketch_layout(problem.setup);
    size.counts = count(*sketch);
  }
  for (const Storage storage : kStorages) {
    size.needed[static_cast<size_t>(storage)] =
        sketch ? static_cast<double>(
                     plan_memory(*sketch, storage, options.threads, options.algorithm).total())
               : least_bytes(size.counts, storage);
  }
  return size;
}

ProblemSize plan_solve(const Problem& problem, const SolverOptions& options) {
  ProblemSize size = measure(problem, options);
  const auto fits = [&](Storage storage) {
    return size.counts.exact && size.bytes(storage) <= static_cast<double>(size.available);
  };
  if (fits(options.storage)) return size;
  throw core::InputError(fmt::format(
      "{}: needs {}{} of memory and {} are free; use {}fewer bet sizes, or a larger machine",
      problem.name, size.counts.exact ? "" : "at least ",
      core::bytes_text(size.bytes(options.storage)), core::bytes_text(size.available),
      fits(Storage::kI16) ? "--storage i16, " : ""));
}

using poker::CardSet;
using NodeKind = poker::BettingNode::Kind;

namespace {

constexpr double kMostBoards = 200'000;  // that are listed to plan by

// Ordered pairs of hands without a common card that a board leaves: all pairs, less those that
// share a card; pairs of the same two cards have then been taken out twice.
class HandPairs {
 public:
  explicit HandPairs(const Setup& setup) : setup_(setup) {
    if (setup.hole_cards == 1) return;
    std::array<std::vector<CardSet>, 2> sorted = setup.hands;
    for (auto& hands : sorted) std::ranges::sort(hands);
    std::ranges::set_intersection(sorted[0], sorted[1], std::back_inserter(both_));
  }

  double operator()(CardSet board) const {
    std::array<std::array<double, poker::kNumCards>, 2> with = {};  // [player][card]
    std::array<double, 2> count = {};
    for (size_t p = 0; p < 2; ++p) {
      for (const CardSet hand : setup_.hands[p]) {
        if ((hand & board) != 0) continue;
        ++count[p];
        for (CardSet rest = hand; rest != 0; rest &= rest - 1) ++with[p][poker::lowest(rest)];
      }
    }
    double pairs = count[0] * count[1];
    for (size_t c = 0; c < with[0].size(); ++c) pairs -= with[0][c] * with[1][c];
    return pairs + static_cast<double>(std::ranges::count_if(
                       both_, [&](CardSet hand) { return (hand & board) == 0; }));
  }

 private:
  const Setup& setup_;
  std::vector<CardSet> both_;  // hands that either may have; of two cards
};

struct StreetShape {
  StreetCounts counts;
  std::array<double, 2> decisions = {}, rows = {};  // [player]
  void add(const poker::BettingNode& node) {
    const std::array by_kind = {&counts.decisions, &counts.folds, &counts.showdowns, &counts.deals};
    ++*by_kind[static_cast<size_t>(node.kind)];
    if (node.kind != NodeKind::kDecision) return;
    ++decisions[node.player];
    rows[node.player] += node.num_children;
  }
};

std::vector<StreetShape> shapes(const poker::BettingTree& tree, size_t streets) {
  std::vector<StreetShape> out(streets);
  for (const poker::BettingNode& node : tree.nodes) {
    if (node.street < streets) out[node.street].add(node);
  }
  return out;
}

// Adds `boards` boards of one shape, each with so many hands and pairs of hands.
void add_boards(Counts& out, const StreetShape& shape, double boards,
                const std::array<double, 2>& hands, const std::array<double, 2>& widths,
                double pairs) {
  for (size_t p = 0; p < 2; ++p) {
    out.infosets[p] += boards * shape.decisions[p] * hands[p];
    out.rows += boards * shape.rows[p] * hands[p];
    out.cells += boards * shape.rows[p] * widths[p];
  }
  const auto nodes = static_cast<double>(shape.counts.nodes());
  const auto ends = static_cast<double>(shape.counts.folds + shape.counts.showdowns);
  out.public_states += boards * nodes;
  out.histories += boards * nodes * pairs;
  out.terminal_histories += boards * ends * pairs;
}

}  // namespace

Counts count(const Layout& sketch) {
  Counts out;
  const auto by_street = shapes(sketch.setup.tree, sketch.streets.size());
  const HandPairs pairs(sketch.setup);
  std::vector<double> stands_for = {1};
  for (size_t s = 0; s < sketch.streets.size(); ++s) {
    const Street& street = sketch.streets[s];
    StreetCounts counts = by_street[s].counts;
    std::vector<double> here;
    for (const Board& board : street.boards) {
      here.push_back(stands_for[s == 0 ? 0 : board.parent] *
                     static_cast<double>(board.images.size()));
      counts.dealt += here.back();
      const auto& [first, second] = board.side;
      add_boards(out, by_street[s], 1, {double(first.count), double(second.count)},
                 {double(first.width), double(second.width)}, pairs(board.cards));
    }
    counts.boards = static_cast<double>(street.boards.size());
    stands_for = std::move(here);
    out.streets.push_back(counts);
  }
  return out;
}

Counts estimate(const Setup& setup) {
  Counts out;
  out.exact = false;
  int cards = std::popcount(setup.deck & ~setup.board);
  double boards = 1;
  const auto by_street = shapes(setup.tree, setup.deals.size());
  for (size_t s = 0; s < setup.deals.size(); ++s) {
    if (s > 0) boards *= choose(cards, setup.deals[s]);
    if (s > 0) cards -= setup.deals[s];
    StreetCounts counts = by_street[s].counts;
    counts.dealt = boards;
    counts.boards = std::max(1.0, boards / static_cast<double>(setup.symmetry.size()));
    const double hands = choose(cards, setup.hole_cards);
    add_boards(out, by_street[s], counts.boards, {hands, hands}, {hands, hands},
               hands * choose(cards - setup.hole_cards, setup.hole_cards));
    out.streets.push_back(counts);
  }
  return out;
}

bool can_sketch(const Counts& estimate) {
  double boards = 0;
  for (const StreetCounts& street : estimate.streets) boards += street.boards;
  return boards <= kMostBoards;
}

MemoryPlan plan_memory(const Layout& sketch, Storage storage, int threads,
                       const std::string& algorithm) {
  MemoryPlan plan = plan_memory(sketch, storage, threads);
  if (solve::make_schedule(algorithm)(1).regret.predict) plan.learning += plan.learning / 2;
  return plan;
}

double least_bytes(const Counts& counts, Storage storage) {
  return 2 * counts.cells *
         (storage == Storage::kF64   ? sizeof(double)
          : storage == Storage::kF32 ? sizeof(float)
                                     : sizeof(int16_t));
}

double tree_histories(const poker::Definition& definition, const poker::BettingTree& tree) {
  int cards = std::popcount(definition.deck());
  const int hole = definition.hole_cards;
  double deals = choose(cards, hole) * choose(cards - hole, hole);
  cards -= 2 * hole;
  std::vector<double> by_street;
  for (const auto& round : definition.rounds) {
    deals *= choose(cards, round.board_cards);
    cards -= round.board_cards;
    by_street.push_back(deals);
  }
  double histories = 0;
  for (const poker::BettingNode& node : tree.nodes) {
    // Showdowns are reached once the board is complete.
    histories += node.kind == NodeKind::kShowdown ? by_street.back() : by_street[node.street];
  }
  return histories;
}

}  // namespace cleave::hands
