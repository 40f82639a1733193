#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "solve/solver.h"

// What the sampling solvers share: a compact copy of the tree to walk on, the routine that grows a
// sample of it and folds the values up again, and what is kept.
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

// What the sampling solvers keep. A Cell is what is learnt of one slot: `regret` and `average`.
template <class Value, class Cell>
class SamplingSolver : public Solver {
 public:
  // The average; where nothing was added to it, the current strategy.
  tree::Strategy strategy() const override {
    const tree::Tree& tree = problem_.tree;
    tree::Strategy strategy(cells_.size());
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      const uint32_t begin = tree.slot_begin[set], end = tree.slot_begin[set + 1];
      double average = 0, regret = 0;
      for (uint32_t slot = begin; slot < end; ++slot) {
        average += cells_[slot].average;
        regret += positive(cells_[slot]);
      }
      for (uint32_t slot = begin; slot < end; ++slot) {
        strategy[slot] = average > 0  ? cells_[slot].average / average
                         : regret > 0 ? positive(cells_[slot]) / regret
                                      : 1.0 / (end - begin);
      }
    }
    return strategy;
  }

 protected:
  SamplingSolver(const Problem& problem, uint64_t seed)
      : Solver(problem),
        steps_(make_steps(problem.tree)),
        cells_(problem.tree.num_slots()),
        random_(seed) {}

  void save_random(tree::Archive& archive) const {
    archive.words["random"].assign(random_.state().begin(), random_.state().end());
  }
  void load_random(const tree::Archive& archive) {
    core::Random::State state;
    std::ranges::copy(archive.word("random", state.size()), state.begin());
    random_.set_state(state);
  }

  std::vector<Step> steps_;
  std::vector<Cell> cells_;  // [slot]
  core::Random random_;
  Sample<Value> sample_;

 private:
  static double positive(const Cell& cell) { return std::max<double>(cell.regret, 0); }
};

// The option plus=true|false.
core::ParamInfo plus_param();

// Pure CFR's payoffs as whole numbers, payoff * scale: exact where a scale up to 1000 makes them so
// and none exceeds 2^16; otherwise rounded to steps of the largest payoff / 2^16.
double whole_number_scale(const tree::Tree& tree);

}  // namespace cleave::solve
