#pragma once

#include <array>
#include <span>
#include <vector>

#include "solve/evaluate.h"
#include "solve/ira/partition.h"
#include "solve/solver.h"

namespace cleave::solve {

struct CfrIraParams {
  double share = 1;  // an information set leaves its cell when it accounts for this many times a
                     // cell's mean share of the gap between the best responses
  double gamma = 5;  // iteration t weighs t^gamma in the average
  double bound = 4;  // the gap after T iterations, in payoff ranges / sqrt(T), above which every
                     // set that accounts for any of it leaves its cell
};

// CFR+ in an imperfect-recall abstraction that refines itself. A cell has the sum of its sets'
// counterfactual regrets and one average; both players' values are computed in the original game.
// Now and then the average is measured by best responses in the original game and sets that
// account for much of the gap leave their cells, to learn afresh (docs/abstraction.md has the
// decomposition of the gap that this rests on, and the bound).
//
// Regrets and averages are kept in 32-bit numbers.
class CfrIra final : public Solver {
 public:
  CfrIra(const Problem& problem, const RunOptions& options, CfrIraParams params);

  void iterate() override;
  void average_plan(size_t player, std::span<double> plan) const override;
  tree::Strategy strategy() const override;
  std::optional<Abstraction> abstraction() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

  // The iterations at which the abstraction is looked at: every 10, later every fifth more.
  static int64_t next_look(int64_t iteration);
  // The gap that sets in cells with others may leave at such an iteration.
  double bound(int64_t iteration) const;

 private:
  struct Side {
    Partition cells;
    std::vector<float> regret;   // [value], never below 0
    std::vector<float> average;  // [value]: sum of reach * probability, later iterations for more
  };

  static void match_regrets(const Side& side, Play& play);
  static void average_play(const Side& side, Play& play);
  void expand(size_t player, const Play& play, std::span<double> plan) const;
  void send_reach(size_t player, double decay);
  void learn(size_t player);
  void look();
  size_t split(size_t player, double threshold);
  void split_largest();
  void leave(size_t player, uint32_t position);
  size_t num_cells() const { return side_[0].cells.num_cells() + side_[1].cells.num_cells(); }

  CfrIraParams params_;
  double payoff_range_ = 0;
  std::array<Side, 2> side_;
  size_t first_cells_ = 0;
  int64_t last_look_ = 0;
  double last_gap_ = 0;  // then
  int halvings_ = 0;     // of params_.share, while the gap falls too slowly

  Workspace work_;
  std::array<Play, 2> play_;  // of the current strategies; while looking, of the averages
  std::vector<double> sum_;   // [value]
};

}  // namespace cleave::solve
