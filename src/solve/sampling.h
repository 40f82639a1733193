#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "solve/solver.h"

// What the sampling solvers share: a compact copy of the tree to walk on, the routine that grows a
// sample of it and folds the values up again, and tables of regrets.
//
// A sample is never recursive. Each solver says which actors it expands (all their actions are
// followed); at all others one action is drawn on the spot and followed at once, so that a sample
// lists expanded histories only, in breadth-first order. An edge is one action of a listed history;
// edge 0 leads to the first of them.
namespace cleave::solve {

inline constexpr tree::Actor kUniformChance = 253;  // chance, all actions equally likely

// One history in 16 bytes: a step of a walk touches one cache line.
struct Step {
  uint64_t data = 0;  // first child (low half) and first slot (high half); at terminals the payoff
  uint32_t num_actions = 0;
  tree::Actor actor = tree::kTerminal;

  uint32_t first_child() const { return static_cast<uint32_t>(data); }
  uint32_t first_slot() const { return static_cast<uint32_t>(data >> 32); }
  double payoff() const { return std::bit_cast<double>(data); }
};
std::vector<Step> make_steps(const tree::Tree& tree);

// The number of chance's action at a step of the tree.
inline uint32_t draw_chance(const tree::Tree& tree, const Step& step, core::Random& random) {
  if (step.actor == kUniformChance) return static_cast<uint32_t>(random.below(step.num_actions));
  const double* probability = tree.probability.data() + step.first_child();
  double left = random.uniform();
  uint32_t a = 0;
  while (a + 1 < step.num_actions && left >= probability[a]) left -= probability[a++];
  while (probability[a] == 0) --a;  // rounding must not reach an action that is never dealt
  return a;
}

template <class Value>
class Sample {
 public:
  struct Node {
    uint32_t first_child, first_slot, num_actions;
    uint32_t up;     // the edge that leads here
    uint32_t first;  // its first edge
    tree::Actor actor;
  };

  // Policy:
  //   bool expands(Actor)             whether all actions are followed
  //   uint32_t draw(const Step&)      the action followed where they are not
  //   bool matters(edge)              whether the value behind an edge is needed; if not it is 0
  //   Value worth(payoff)             of a terminal payoff
  //   void enter(const Node&)         on the way down, before the node's edges are followed
  //   Value leave(const Node&, const Value* value)   on the way up: the node's value from its
  //   edges'
  template <class Policy>
  Value run(const std::vector<Step>& steps, Policy& policy) {
    num_nodes_ = 0;
    uint32_t num_edges = 1;
    value_.resize(std::max<size_t>(value_.size(), 1));
    follow(steps, policy, 0, 0);
    for (size_t n = 0; n < num_nodes_; ++n) {
      nodes_[n].first = num_edges;
      const Node node = nodes_[n];  // a copy: the list grows below
      num_edges += node.num_actions;
      if (value_.size() < num_edges) value_.resize(2 * size_t{num_edges});
      policy.enter(node);
      for (uint32_t a = 0; a < node.num_actions; ++a) {
        follow(steps, policy, node.first + a, node.first_child + a);
      }
    }
    for (size_t n = num_nodes_; n-- > 0;) {
      const Node& node = nodes_[n];
      value_[node.up] = policy.leave(node, value_.data() + node.first);
    }
    return value_[0];
  }

 private:
  template <class Policy>
  void follow(const std::vector<Step>& steps, Policy& policy, uint32_t edge, uint32_t history) {
    if (!policy.matters(edge)) {
      value_[edge] = 0;
      return;
    }
    const Step* step = &steps[history];
    while (step->actor != tree::kTerminal) {
      if (policy.expands(step->actor)) {
        if (num_nodes_ == nodes_.size()) nodes_.resize(2 * num_nodes_ + 64);
        nodes_[num_nodes_++] = {step->first_child(), step->first_slot(), step->num_actions, edge, 0,
                                step->actor};
        return;
      }
      step = &steps[step->first_child() + policy.draw(*step)];
    }
    value_[edge] = policy.worth(step->payoff());
  }

  std::vector<Node> nodes_;  // [0, num_nodes_) are in use
  size_t num_nodes_ = 0;
  std::vector<Value> value_;  // [edge]
};

// Regrets and the average strategy of both players by slot, side by side: an update touches both.
class RegretTable {
 public:
  struct Cell {
    double regret = 0;
    double average = 0;
  };

  // `floor`: regrets are cut at zero (regret matching plus). It happens when an information set is
  // read for the next time, so that several histories of it in one sample count as one update.
  RegretTable(const tree::Tree& tree, bool floor)
      : tree_(tree), cells_(tree.num_slots()), floor_(floor) {}

  Cell* at(uint32_t slot) { return cells_.data() + slot; }

  // The sum of the positive regrets; cuts the others if so configured.
  double positive_sum(Cell* cells, uint32_t num_actions) const {
    double sum = 0;
    for (uint32_t a = 0; a < num_actions; ++a) {
      const double positive = cells[a].regret > 0 ? cells[a].regret : 0;
      if (floor_) cells[a].regret = positive;
      sum += positive;
    }
    return sum;
  }

  // Regret matching: in proportion to positive regrets, uniform if there are none.
  void match(uint32_t slot, uint32_t num_actions, double* strategy) {
    Cell* cells = at(slot);
    const double sum = positive_sum(cells, num_actions);
    const double scale = sum > 0 ? 1 / sum : 0;
    const double rest = sum > 0 ? 0 : 1.0 / num_actions;
    for (uint32_t a = 0; a < num_actions; ++a) {
      strategy[a] = (cells[a].regret > 0 ? cells[a].regret : 0) * scale + rest;
    }
  }

  // Draws an action from the same strategy and adds `weight` times the strategy to the average.
  uint32_t draw_and_average(uint32_t slot, uint32_t num_actions, double weight,
                            core::Random& random) {
    Cell* cells = at(slot);
    const double sum = positive_sum(cells, num_actions);
    if (!(sum > 0)) {
      for (uint32_t a = 0; a < num_actions; ++a) cells[a].average += weight / num_actions;
      return static_cast<uint32_t>(random.below(num_actions));
    }
    const double scale = weight / sum;
    double left = random.uniform() * sum;
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

  // The average; where nothing was added to it, the current strategy.
  tree::Strategy average() const;
  void save(tree::Archive& archive) const;
  void load(const tree::Archive& archive);

 private:
  const tree::Tree& tree_;
  std::vector<Cell> cells_;
  bool floor_;
};

// The rest of a sampler's state.
void save_random(tree::Archive& archive, int64_t iterations, const core::Random& random);
int64_t load_random(const tree::Archive& archive, core::Random& random);  // returns iterations

// What chance sampling and external sampling share.
class RegretSampler : public Solver {
 public:
  tree::Strategy strategy() const override { return table_.average(); }
  void save(tree::Archive& archive) const override;
  void load(const tree::Archive& archive) override;

 protected:
  RegretSampler(const Problem& problem, core::Params& params, uint64_t seed)
      : Solver(problem),
        plus_(params.boolean("plus", false)),
        linear_(params.choice("weights", "uniform", {"uniform", "linear"}) == "linear"),
        steps_(make_steps(problem.tree)),
        table_(problem.tree, plus_),
        random_(seed) {}

  // What the next iteration counts. Linear: t in the average; in the regrets too (linear CFR)
  // unless they are cut at zero (CFR+). On Leduc linear averages of plain regrets did three times
  // worse than uniform.
  void begin_iteration() {
    ++iterations_;
    average_weight_ = linear_ ? static_cast<double>(iterations_) : 1;
    regret_weight_ = plus_ ? 1 : average_weight_;
  }

  const bool plus_, linear_;
  std::vector<Step> steps_;
  RegretTable table_;
  core::Random random_;
  Sample<double> sample_;
  double regret_weight_ = 1, average_weight_ = 1;
};

// Options: plus=true|false; weights=uniform|linear.
core::ParamInfo plus_param();
core::ParamInfo weights_param();

// Pure CFR's payoffs as whole numbers, payoff * scale: exact where a scale up to 1000 makes them so
// and none exceeds 2^16; otherwise rounded to steps of the largest payoff / 2^16.
double whole_number_scale(const tree::Tree& tree);

}  // namespace cleave::solve
