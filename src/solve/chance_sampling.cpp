#include <array>

#include "solve/sampling.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

// Values are player one's. Chance's probability is in the draw: regrets at h are weighted by the
// other player's probabilities only, the average by one's own. What lies behind an edge that both
// players' strategies exclude changes nothing and is not followed.
class ChanceSampling final : public RegretSampler {
 public:
  ChanceSampling(const Problem& problem, core::Params& params, uint64_t seed)
      : RegretSampler(problem, params, seed), edges_(1) {}

  void iterate() override {
    begin_iteration();
    sample_.run(steps_, *this);
  }

 private:
  using Node = Sample<double>::Node;
  friend class Sample<double>;
  struct Edge {
    std::array<double, 2> reach = {1, 1};  // [player]: own probabilities up to here
  };

  bool expands(tree::Actor actor) const { return actor < 2; }
  bool matters(uint32_t edge) const {
    return edges_[edge].reach[0] > 0 || edges_[edge].reach[1] > 0;
  }
  static double worth(double payoff) { return payoff; }
  uint32_t draw(const Step& step) { return draw_chance(problem_.tree, step, random_); }

  void enter(const Node& node) {
    const size_t end = size_t{node.first} + node.num_actions;
    if (edges_.size() < end) {
      edges_.resize(2 * end);
      strategy_.resize(2 * end);
    }
    double* strategy = strategy_.data() + node.first;
    table_.match(node.first_slot, node.num_actions, strategy);
    const Edge above = edges_[node.up];
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      Edge& edge = edges_[node.first + a];
      edge = above;
      edge.reach[node.actor] *= strategy[a];
    }
  }

  double leave(const Node& node, const double* q) {
    const double* strategy = strategy_.data() + node.first;
    double value = 0;
    for (uint32_t a = 0; a < node.num_actions; ++a) value += strategy[a] * q[a];
    const Edge& above = edges_[node.up];
    const double others = regret_weight_ * (node.actor == 0 ? above.reach[1] : -above.reach[0]);
    const double own = average_weight_ * above.reach[node.actor];
    RegretTable::Cell* cells = table_.at(node.first_slot);
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      cells[a].regret += others * (q[a] - value);
      cells[a].average += own * strategy[a];
    }
    return value;
  }

  std::vector<Edge> edges_;       // [edge]; edge 0 is the root's
  std::vector<double> strategy_;  // [edge]
};

}  // namespace

SolverInfo chance_sampling_info() {
  return {"chance-sampling",
          "CFR that draws chance's actions and follows all of both players'",
          {plus_param(), weights_param()},
          false,
          [](const Problem& problem, core::Params& params,
             const RunOptions& options) -> std::unique_ptr<Solver> {
            return std::make_unique<ChanceSampling>(problem, params, options.seed);
          },
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
