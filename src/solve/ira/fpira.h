#pragma once

#include <array>
#include <span>
#include <vector>

#include "solve/evaluate.h"
#include "solve/ira/partition.h"
#include "solve/solver.h"

namespace cleave::solve {

// What happens to the cells once averaging within them would change what some strategy of the
// opponent is worth.
enum class CellRule : uint8_t {
  kPaper,  // as published: every set that the best response visits leaves its cell
  kLeast,  // only sets that must play apart from now on are parted
  kMerge,  // the same, and cells that have come to play alike are joined again
};

struct FpiraParams {
  CellRule cells = CellRule::kMerge;
  Ties ties = Ties::kFirst;
};

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
  Fpira(const Problem& problem, const RunOptions& options, FpiraParams params);

  void iterate() override;
  void average_plan(size_t player, std::span<double> plan) const override;
  tree::Strategy strategy() const override;
  std::optional<Abstraction> abstraction() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 private:
  struct Side {
    Partition cells;
    Play play;
  };
  // An information set that the best response reaches, and what it does there.
  struct Visit {
    uint32_t position;
    uint32_t action;
  };
  using Visits = std::span<const Visit>;
  // What they are ordered by.
  struct Place {
    uint32_t cell;
    uint32_t action;
    double reach;
    uint32_t position;
  };

  void expand(size_t player);
  bool few(size_t player) const;
  void expand_all(size_t player);
  void expand_reached(size_t player);
  void respond(size_t player);
  void update(size_t player);
  void make_playable();
  bool carries(Visits visits) const;
  void average_in_cells();
  double delta();
  void refine();
  template <class Key>
  void part(Visits visits, const Key& key);
  void split_off(uint32_t cell, Visits visits);
  void average_in(uint32_t cell, uint32_t action, double reach);

  uint32_t cell_of(const Visit& visit) const { return side_[turn_].cells.cell[visit.position]; }
  double reach_of(const Visit& visit) const {
    return work_.plan[turn_][problem_.form.player[turn_].parent[visit.position]];
  }
  bool unchanged(const Visit& visit) const;
  template <class Act>
  void for_each_visited_cell(const Act& act) const;

  FpiraParams params_;
  std::array<Side, 2> side_;
  size_t first_cells_ = 0;
  size_t most_cells_ = 0;
  size_t largest_response_ = 0;
  std::array<int64_t, 2> updates_ = {};
  std::array<size_t, 2> join_above_ = {};  // [player]: cells that set off the next joining

  // Scratch: nothing here but what can be had again from the above.
  size_t turn_ = 0;
  std::vector<Visit> response_;  // by cell, action, reach
  std::vector<Place> order_;
  std::vector<uint32_t> taken_;  // its sequences
  Workspace work_;               // plan: both players' averages, expanded, before the update
  std::array<std::vector<double>, 2> reach_;  // [player][cell]: summed over its sets
  std::array<std::vector<uint32_t>, 2>
      reached_;  // [player]: sequences that the average reaches, while few
  std::array<Followers, 2> followers_;
  core::Reals difference_;  // [sequence]
  std::vector<double> kept_;
  double payoff_scale_ = 0;
};

}  // namespace cleave::solve
