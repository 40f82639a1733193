#include <algorithm>
#include <cmath>

#include "solve/sampling.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

constexpr double kLargestPayoff = 65536;     // after scaling
constexpr int32_t kLargestRegret = 1 << 30;  // a sum of two stays within four bytes
constexpr uint32_t kLargestCount = UINT32_MAX;

struct PureCell {
  int32_t regret = 0;
  uint32_t average = 0;  // how often the action was drawn in the other player's walk
};

// Draws in proportion to positive regrets, from all actions alike if there are none.
uint32_t draw_action(std::span<const PureCell> cells, core::Random& random) {
  uint64_t sum = 0;
  for (const PureCell& cell : cells) sum += static_cast<uint64_t>(std::max(cell.regret, 0));
  if (sum == 0) return static_cast<uint32_t>(random.below(cells.size()));
  auto left = static_cast<int64_t>(random.below(sum));
  uint32_t a = 0;
  while ((left -= std::max(cells[a].regret, 0)) >= 0) ++a;
  return a;
}

// The expected regret update is external sampling's: the value of a set is that of an action drawn
// from the strategy instead of the strategy's mean.
class PureCfr final : public SamplingSolver<int32_t, PureCell> {
 public:
  PureCfr(const Problem& problem, core::Params& params, const RunOptions& options)
      : SamplingSolver(problem, options.seed),
        floor_(params.boolean("plus", false) ? 0 : -kLargestRegret),
        scale_(whole_number_scale(problem.tree)) {}

  void iterate() override {
    ++iterations_;
    for (walker_ = 0; walker_ < 2; ++walker_) {
      signed_scale_ = walker_ == 0 ? scale_ : -scale_;
      sample_.run(steps_, *this);
    }
  }

  // [slot]: the count in the high half, the regret's bits in the low half.
  void save_state(tree::Archive& archive) const override {
    save_random(archive);
    std::vector<uint64_t>& words = archive.words["cells"];
    words.clear();
    for (const PureCell& cell : cells_) {
      words.push_back(uint64_t{cell.average} << 32 | static_cast<uint32_t>(cell.regret));
    }
  }
  void load_state(const tree::Archive& archive) override {
    const std::vector<uint64_t>& words = archive.word("cells", cells_.size());
    for (size_t i = 0; i < cells_.size(); ++i) {
      const auto regret = static_cast<int32_t>(static_cast<uint32_t>(words[i]));
      cells_[i] = {std::clamp(regret, -kLargestRegret, kLargestRegret),
                   static_cast<uint32_t>(words[i] >> 32)};
    }
    load_random(archive);
  }

 private:
  using Node = Sample<int32_t>::Node;
  friend class Sample<int32_t>;

  bool expands(tree::Actor actor) const { return actor == walker_; }
  bool matters(uint32_t) const { return true; }
  int32_t worth(double payoff) const {
    return static_cast<int32_t>(std::lrint(payoff * signed_scale_));
  }

  // A counter or a positive regret (which grows with the square root of the number of iterations
  // only) that comes to its end is halved with the others of its set, which keeps the ratios.
  uint32_t draw(const Step& step) {
    if (step.actor > 1) return draw_chance(problem_.tree, step, random_);
    const auto cells = std::span(cells_).subspan(step.first_slot(), step.num_actions);
    const uint32_t action = draw_action(cells, random_);
    if (cells[action].average == kLargestCount) {
      for (PureCell& cell : cells) cell.average /= 2;
    }
    ++cells[action].average;
    return action;
  }

  void enter(const Node& node) {
    const size_t end = size_t{node.first} + node.num_actions;
    if (drawn_.size() < end) drawn_.resize(2 * end);
    drawn_[node.first] =
        draw_action(std::span(cells_).subspan(node.first_slot, node.num_actions), random_);
  }

  int32_t leave(const Node& node, const int32_t* q) {
    const int32_t value = q[drawn_[node.first]];
    const auto cells = std::span(cells_).subspan(node.first_slot, node.num_actions);
    int32_t largest = 0;
    for (size_t a = 0; a < cells.size(); ++a) {
      cells[a].regret = std::max(cells[a].regret + (q[a] - value), floor_);
      largest = std::max(largest, cells[a].regret);
    }
    if (largest > kLargestRegret) {
      for (PureCell& cell : cells) cell.regret /= 2;
    }
    return value;
  }

  int32_t floor_;
  double scale_;
  std::vector<uint32_t> drawn_;  // [first edge of a node]: the walker's action
  tree::Actor walker_ = 0;
  double signed_scale_ = 1;
};

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
  return entry_of<PureCfr>(
      "pure-cfr", "pure external CFR: external sampling in whole numbers, eight bytes per action",
      SolverInfo::kCoarse, {plus_param()});
}

}  // namespace cleave::solve
