#include "solve/sampling.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

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
  ExternalSampling(const Problem& problem, core::Params& params, uint64_t seed)
      : RegretSampler(problem, params, seed) {}

  void iterate() override {
    begin_iteration();
    for (tree::Actor player = 0; player < 2; ++player) {
      walker_ = player;
      sample_.run(steps_, *this);
    }
  }

 private:
  using Node = Sample<double>::Node;
  friend class Sample<double>;

  bool expands(tree::Actor actor) const { return actor == walker_; }
  bool matters(uint32_t) const { return true; }
  double worth(double payoff) const { return walker_ == 0 ? payoff : -payoff; }
  uint32_t draw(const Step& step) {
    if (step.actor > 1) return draw_chance(problem_.tree, step, random_);
    return table_.draw_and_average(step.first_slot(), step.num_actions, average_weight_, random_);
  }

  void enter(const Node& node) {
    const size_t end = size_t{node.first} + node.num_actions;
    if (strategy_.size() < end) strategy_.resize(2 * end);
    table_.match(node.first_slot, node.num_actions, strategy_.data() + node.first);
  }

  double leave(const Node& node, const double* q) {
    const double* strategy = strategy_.data() + node.first;
    double value = 0;
    for (uint32_t a = 0; a < node.num_actions; ++a) value += strategy[a] * q[a];
    RegretTable::Cell* cells = table_.at(node.first_slot);
    for (uint32_t a = 0; a < node.num_actions; ++a) {
      cells[a].regret += regret_weight_ * (q[a] - value);
    }
    return value;
  }

  std::vector<double> strategy_;  // [edge]
  tree::Actor walker_ = 0;
};

}  // namespace

SolverInfo external_sampling_info() {
  return {"external-sampling",
          "MCCFR that follows one player's actions and draws chance's and the other's",
          {plus_param(), weights_param()},
          false,
          [](const Problem& problem, core::Params& params,
             const RunOptions& options) -> std::unique_ptr<Solver> {
            return std::make_unique<ExternalSampling>(problem, params, options.seed);
          },
          SolverInfo::kCoarse};
}

}  // namespace cleave::solve
