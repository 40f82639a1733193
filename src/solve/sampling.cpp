#include "solve/sampling.h"

#include <algorithm>
#include <array>

#include "solve/solvers.h"

namespace cleave::solve {
namespace {

bool uniform_chance(const tree::Tree& tree, uint32_t history) {
  const auto begin = tree.probability.begin() + tree.child_begin[history];
  const auto end = tree.probability.begin() + tree.child_begin[history + 1];
  return std::all_of(begin, end, [&](double p) { return p == *begin; });
}

}  // namespace

std::vector<Step> make_steps(const tree::Tree& tree) {
  std::vector<Step> steps(tree.num_histories());
  for (uint32_t h = 0; h < steps.size(); ++h) {
    Step& step = steps[h];
    step.actor = tree.actor[h];
    if (step.actor == tree::kTerminal) {
      step.data = std::bit_cast<uint64_t>(tree.payoff[tree.infoset[h]]);
      continue;
    }
    step.num_actions = tree.child_begin[h + 1] - tree.child_begin[h];
    step.data = tree.child_begin[h];
    if (step.actor == tree::kChance) {
      if (uniform_chance(tree, h)) step.actor = kUniformChance;
    } else {
      step.data |= uint64_t{tree.slot_begin[tree.infoset[h]]} << 32;
    }
  }
  return steps;
}

namespace {

// Regret and average side by side: an update touches both.
struct RegretCell {
  double regret = 0;
  double average = 0;
};

// What chance sampling and external sampling share.
class RegretSampler : public SamplingSolver<double, RegretCell> {
 public:
  RegretSampler(const Problem& problem, core::Params& params, const RunOptions& options)
      : SamplingSolver(problem, options.seed),
        plus_(params.boolean("plus", false)),
        linear_(params.choice("weights", "uniform", {"uniform", "linear"}) == "linear") {}

  void save_state(tree::Archive& archive) const override {
    save_random(archive);
    for (const auto& [name, number] : kStored) {
      std::vector<double>& values = archive.reals[name];
      values.resize(cells_.size());
      std::ranges::transform(cells_, values.begin(), number);
    }
  }
  void load_state(const tree::Archive& archive) override {
    for (const auto& [name, number] : kStored) {
      const std::vector<double>& values = archive.real(name, cells_.size());
      for (size_t i = 0; i < cells_.size(); ++i) cells_[i].*number = values[i];
    }
    load_random(archive);
  }

 protected:
  using Node = Sample<double>::Node;

  // What the next iteration counts. Linear: t in the average; in the regrets too (linear CFR)
  // unless they are cut at zero (CFR+). On Leduc linear averages of plain regrets did three times
  // worse than uniform.
  void begin_iteration() {
    ++iterations_;
    average_weight_ = linear_ ? static_cast<double>(iterations_) : 1;
    regret_weight_ = plus_ ? 1 : average_weight_;
  }

  // Regret matching into strategy_: in proportion to positive regrets, uniform if there are none.
  void match(const Node& node) {
    const size_t end = size_t{node.first} + node.num_actions;
    if (strategy_.size() < end) strategy_.resize(2 * end);
    RegretCell* cells = cells_.data() + node.first_slot;
    const double sum = positive_sum(cells, node.num_actions);
    const double scale = sum > 0 ? 1 / sum : 0;
    const double rest = sum > 0 ? 0 : 1.0 / node.num_actions;
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      strategy_[node.first + a] = (cells[a].regret > 0 ? cells[a].regret : 0) * scale + rest;
    }
  }

  // What the strategy makes of its actions' values.
  double mean(const Node& node, const double* q) const {
    double value = 0;
    for (uint32_t a = 0; a < node.num_actions; ++a) value += strategy_[node.first + a] * q[a];
    return value;
  }

  // Draws an action from the strategy at a step and adds the strategy to the average.
  uint32_t draw_and_average(const Step& step) {
    RegretCell* cells = cells_.data() + step.first_slot();
    const uint32_t num_actions = step.num_actions;
    const double sum = positive_sum(cells, num_actions);
    if (!(sum > 0)) {
      for (uint32_t a = 0; a < num_actions; ++a) cells[a].average += average_weight_ / num_actions;
      return static_cast<uint32_t>(random_.below(num_actions));
    }
    const double scale = average_weight_ / sum;
    double left = random_.uniform() * sum;
    uint32_t drawn = num_actions;
    uint32_t last = 0;  // rounding must not reach an action without regret
    for (uint32_t a = 0; a < num_actions; ++a) {
      const double positive = cells[a].regret;
      if (!(positive > 0)) continue;
      cells[a].average += positive * scale;
      last = a;
      if (left < positive && drawn == num_actions) drawn = a;
      left -= positive;
    }
    return drawn == num_actions ? last : drawn;
  }

  std::vector<double> strategy_;  // [edge]
  double regret_weight_ = 1, average_weight_ = 1;

 private:
  static constexpr std::pair<const char*, double RegretCell::*> kStored[] = {
      {"regret", &RegretCell::regret}, {"average", &RegretCell::average}};

  // The sum of the positive regrets. With `plus` the others are cut: when an information set is
  // read for the next time, so that several histories of it in one sample count as one update.
  double positive_sum(RegretCell* cells, uint32_t num_actions) const {
    double sum = 0;
    for (uint32_t a = 0; a < num_actions; ++a) {
      const double positive = cells[a].regret > 0 ? cells[a].regret : 0;
      if (plus_) cells[a].regret = positive;
      sum += positive;
    }
    return sum;
  }

  const bool plus_, linear_;
};

// Values are player one's. Chance's probability is in the draw: regrets at h are weighted by the
// other player's probabilities only, the average by one's own. What lies behind an edge that both
// players' strategies exclude changes nothing and is not followed.
class ChanceSampling final : public RegretSampler {
 public:
  ChanceSampling(const Problem& problem, core::Params& params, const RunOptions& options)
      : RegretSampler(problem, params, options), reach_(1, {1, 1}) {}

  void iterate() override {
    begin_iteration();
    sample_.run(steps_, *this);
  }

 private:
  friend class Sample<double>;

  bool expands(tree::Actor actor) const { return actor < 2; }
  bool matters(uint32_t edge) const { return reach_[edge][0] > 0 || reach_[edge][1] > 0; }
  static double worth(double payoff) { return payoff; }
  uint32_t draw(const Step& step) { return draw_chance(problem_.tree, step, random_); }

  void enter(const Node& node) {
    match(node);
    if (reach_.size() < strategy_.size()) reach_.resize(strategy_.size());
    for (uint32_t edge = node.first; edge < node.first + node.num_actions; ++edge) {
      reach_[edge] = reach_[node.up];
      reach_[edge][node.actor] *= strategy_[edge];
    }
  }

  double leave(const Node& node, const double* q) {
    const double value = mean(node, q);
    const auto& above = reach_[node.up];
    const double others = regret_weight_ * (node.actor == 0 ? above[1] : -above[0]);
    const double own = average_weight_ * above[node.actor];
    RegretCell* cells = cells_.data() + node.first_slot;
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      cells[a].regret += others * (q[a] - value);
      cells[a].average += own * strategy_[node.first + a];
    }
    return value;
  }

  // [edge][player]: own probabilities up to here; edge 0 is the root's.
  std::vector<std::array<double, 2>> reach_;
};

// Everyone else's probabilities are in the draw, so that the sampled counterfactual value of an
// action is the payoff itself, unweighted.
//
// The average is taken where the player's actions are drawn, in the other player's walk: the set is
// reached with probability own reach * chance reach there, and chance's part is the same in every
// iteration, so that adding the strategy weighs it by own reach, as it must be ("simple" averaging;
// "full" averaging would walk all sets of a player for less variance per iteration, at many times
// the cost).
class ExternalSampling final : public RegretSampler {
 public:
  using RegretSampler::RegretSampler;

  void iterate() override {
    begin_iteration();
    for (walker_ = 0; walker_ < 2; ++walker_) sample_.run(steps_, *this);
  }

 private:
  friend class Sample<double>;

  bool expands(tree::Actor actor) const { return actor == walker_; }
  bool matters(uint32_t) const { return true; }
  double worth(double payoff) const { return walker_ == 0 ? payoff : -payoff; }
  uint32_t draw(const Step& step) {
    if (step.actor > 1) return draw_chance(problem_.tree, step, random_);
    return draw_and_average(step);
  }
  void enter(const Node& node) { match(node); }

  double leave(const Node& node, const double* q) {
    const double value = mean(node, q);
    RegretCell* cells = cells_.data() + node.first_slot;
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      cells[a].regret += regret_weight_ * (q[a] - value);
    }
    return value;
  }

  tree::Actor walker_ = 0;
};

core::ParamInfo weights_param() {
  return {"weights", "uniform",
          "weight of iteration t: uniform (1) or linear (t; with plus in the average only)"};
}

}  // namespace

core::ParamInfo plus_param() {
  return {"plus", "false", "cut regrets at zero (regret matching plus)"};
}

SolverInfo chance_sampling_info() {
  return entry_of<ChanceSampling>(
      "chance-sampling", "CFR that draws chance's actions and follows all of both players'",
      SolverInfo::kCoarse, {plus_param(), weights_param()});
}

SolverInfo external_sampling_info() {
  return entry_of<ExternalSampling>(
      "external-sampling",
      "MCCFR that follows one player's actions and draws chance's and the other's",
      SolverInfo::kCoarse, {plus_param(), weights_param()});
}

}  // namespace cleave::solve
