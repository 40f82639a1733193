#include <algorithm>
#include <cmath>

#include "solve/sampling.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

constexpr double kLargestPayoff = 65536;     // after scaling
constexpr int32_t kLargestRegret = 1 << 30;  // a sum of two stays within four bytes
constexpr uint32_t kLargestCount = UINT32_MAX;

struct Cell {
  int32_t regret = 0;
  uint32_t count = 0;  // how often the action was drawn in the other player's walk
};

// Draws in proportion to positive regrets, from all actions alike if there are none.
uint32_t draw_action(const Cell* cells, uint32_t num_actions, core::Random& random) {
  uint64_t sum = 0;
  for (uint32_t a = 0; a < num_actions; ++a) {
    sum += static_cast<uint64_t>(std::max(cells[a].regret, 0));
  }
  if (sum == 0) return static_cast<uint32_t>(random.below(num_actions));
  auto left = static_cast<int64_t>(random.below(sum));
  uint32_t a = 0;
  while ((left -= std::max(cells[a].regret, 0)) >= 0) ++a;
  return a;
}

// Keeps the ratios when a counter or a positive regret (which grows with the square root of the
// number of iterations only) comes to its end.
void halve_counts(Cell* cells, uint32_t num_actions) {
  for (uint32_t a = 0; a < num_actions; ++a) cells[a].count /= 2;
}
void halve_regrets(Cell* cells, uint32_t num_actions) {
  for (uint32_t a = 0; a < num_actions; ++a) cells[a].regret /= 2;
}

// The expected regret update is external sampling's: the value of a set is that of an action drawn
// from the strategy instead of the strategy's mean.
class PureCfr final : public Solver {
 public:
  PureCfr(const Problem& problem, bool plus, uint64_t seed)
      : Solver(problem),
        floor_(plus ? 0 : -kLargestRegret),
        scale_(whole_number_scale(problem.tree)),
        steps_(make_steps(problem.tree)),
        cells_(problem.tree.num_slots()),
        random_(seed) {}

  void iterate() override {
    ++iterations_;
    for (tree::Actor player = 0; player < 2; ++player) {
      walker_ = player;
      signed_scale_ = player == 0 ? scale_ : -scale_;
      sample_.run(steps_, *this);
    }
  }

  tree::Strategy strategy() const override;
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 private:
  using Node = Sample<int32_t>::Node;
  friend class Sample<int32_t>;

  bool expands(tree::Actor actor) const { return actor == walker_; }
  bool matters(uint32_t) const { return true; }
  int32_t worth(double payoff) const {
    return static_cast<int32_t>(std::lrint(payoff * signed_scale_));
  }

  uint32_t draw(const Step& step) {
    if (step.actor > 1) return draw_chance(problem_.tree, step, random_);
    Cell* cells = cells_.data() + step.first_slot();
    const uint32_t action = draw_action(cells, step.num_actions, random_);
    if (cells[action].count == kLargestCount) halve_counts(cells, step.num_actions);
    ++cells[action].count;
    return action;
  }

  void enter(const Node& node) {
    const size_t end = size_t{node.first} + node.num_actions;
    if (drawn_.size() < end) drawn_.resize(2 * end);
    drawn_[node.first] = draw_action(cells_.data() + node.first_slot, node.num_actions, random_);
  }

  int32_t leave(const Node& node, const int32_t* q) {
    const int32_t value = q[drawn_[node.first]];
    Cell* cells = cells_.data() + node.first_slot;
    int32_t largest = 0;
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      cells[a].regret = std::max(cells[a].regret + (q[a] - value), floor_);
      largest = std::max(largest, cells[a].regret);
    }
    if (largest > kLargestRegret) halve_regrets(cells, node.num_actions);
    return value;
  }

  int32_t floor_;
  double scale_;
  std::vector<Step> steps_;
  std::vector<Cell> cells_;  // [slot]
  core::Random random_;
  Sample<int32_t> sample_;
  std::vector<uint32_t> drawn_;  // [first edge of a node]: the walker's action
  tree::Actor walker_ = 0;
  double signed_scale_ = 1;
};

tree::Strategy PureCfr::strategy() const {
  const tree::Tree& tree = problem_.tree;
  tree::Strategy strategy(cells_.size());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    const uint32_t begin = tree.slot_begin[set], end = tree.slot_begin[set + 1];
    double count = 0, regret = 0;
    for (uint32_t slot = begin; slot < end; ++slot) {
      count += cells_[slot].count;
      regret += std::max(cells_[slot].regret, 0);
    }
    for (uint32_t slot = begin; slot < end; ++slot) {
      strategy[slot] = count > 0    ? cells_[slot].count / count
                       : regret > 0 ? std::max(cells_[slot].regret, 0) / regret
                                    : 1.0 / (end - begin);
    }
  }
  return strategy;
}

// [slot]: the count in the high half, the regret's bits in the low half.
void PureCfr::save(tree::Archive& archive) const {
  save_random(archive, iterations_, random_);
  std::vector<uint64_t>& words = archive.words["cells"];
  words.clear();
  for (const Cell& cell : cells_) {
    words.push_back(uint64_t{cell.count} << 32 | static_cast<uint32_t>(cell.regret));
  }
}

void PureCfr::load(const tree::Archive& archive) {
  const std::vector<uint64_t>& words = archive.word("cells", cells_.size());
  for (size_t i = 0; i < cells_.size(); ++i) {
    const auto regret = static_cast<int32_t>(static_cast<uint32_t>(words[i]));
    cells_[i] = {std::clamp(regret, -kLargestRegret, kLargestRegret),
                 static_cast<uint32_t>(words[i] >> 32)};
  }
  iterations_ = load_random(archive, random_);
}

}  // namespace

double whole_number_scale(const tree::Tree& tree) {
  double largest = 0;
  for (const double payoff : tree.payoff) largest = std::max(largest, std::abs(payoff));
  if (largest == 0) return 1;
  for (int scale = 1; scale <= 1000 && largest * scale <= kLargestPayoff; ++scale) {
    const bool whole = std::all_of(tree.payoff.begin(), tree.payoff.end(), [&](double payoff) {
      return std::abs(payoff * scale - std::round(payoff * scale)) < 1e-9;
    });
    if (whole) return scale;
  }
  return kLargestPayoff / largest;
}

SolverInfo pure_cfr_info() {
  return {"pure-cfr",
          "pure external CFR: external sampling in whole numbers, eight bytes per action",
          {plus_param()},
          false,
          [](const Problem& problem, core::Params& params,
             const RunOptions& options) -> std::unique_ptr<Solver> {
            return std::make_unique<PureCfr>(problem, params.boolean("plus", false), options.seed);
          },
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
